import { getTranslations } from "next-intl/server";
import { PasswordCard } from "#components/accounts/account-cards";
import { FactorCard } from "#components/accounts/factor-card";
import { PasskeysCard } from "#components/accounts/passkeys-card";
import { SessionList } from "#components/accounts/session-list";
import { PageHead } from "#components/shell/page-head";
import { getAccountSecurity } from "#lib/identity/accounts";
import { getRequestOrigin } from "#lib/identity/auth";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { arePasskeysPossible, listPasskeys } from "#lib/identity/passkeys";
import { passkeyNameCharsMax } from "#lib/identity/passkeys/schema";
import { listSessions } from "#lib/identity/sessions";
import { parseAgent } from "#lib/platform/request-info";
import { titleOf } from "../../../pages.tsx";
import { requireOwner } from "../../access.ts";
import * as actions from "../actions.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export const generateMetadata = titleOf("security.title");

export default async function SecurityPage() {
  const user = await requireOwner("/app/account/security");
  const [t, account, passkeys, sessions] = await Promise.all([
    getTranslations("security"),
    getAccountSecurity(user.pk),
    listPasskeys(user.pk),
    listSessions(user),
  ]);
  const { browser, os } = parseAgent((await getRequestOrigin()).agent);
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")} />
      <div className="grid max-w-2xl gap-5">
        <PasswordCard
          has={account.password}
          change={actions.changePasswordAction}
          limits={limits}
        />
        <FactorCard
          on={account.factor}
          recoveryLeft={account.recoveryLeft}
          begin={actions.beginFactorAction}
          confirm={actions.confirmFactorAction}
          renew={actions.renewRecoveryAction}
          drop={actions.dropFactorAction}
        />
        {arePasskeysPossible() ? (
          <PasskeysCard
            passkeys={passkeys}
            offer={actions.beginPasskeyAction}
            add={actions.addPasskeyAction}
            remove={actions.removePasskeyAction}
            suggested={browser && os ? t("browserOn", { browser, os }) : t("unknownBrowser")}
            nameCharsMax={passkeyNameCharsMax}
          />
        ) : null}
        <SessionList
          sessions={sessions}
          end={actions.endSessionAction}
          endOthers={actions.endOthersAction}
        />
      </div>
    </>
  );
}
