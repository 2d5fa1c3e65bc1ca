import { getTranslations } from "next-intl/server";
import { DeleteAccount } from "#components/accounts/delete-account";
import { EmailCard } from "#components/accounts/email-card";
import { FactorCard } from "#components/accounts/factor-card";
import { PasswordCard } from "#components/accounts/password-card";
import { SessionList } from "#components/accounts/session-list";
import { PageHead } from "#components/shell/page-head";
import { getAccountSecurity } from "#lib/identity/accounts";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { listSessions } from "#lib/identity/sessions";
import { type PageOf, titleOf } from "../../../../pages.ts";
import { Texts } from "../../../../texts.tsx";
import { requireScope, requireUser } from "../../../access.ts";
import {
  beginFactorAction,
  changeEmailAction,
  changePasswordAction,
  confirmFactorAction,
  confirmOwnEmailAction,
  deleteAccountAction,
  dropFactorAction,
  endOthersAction,
  endSessionAction,
  renewRecoveryAction,
} from "./actions.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export const generateMetadata = titleOf("security.title");

export default async function SecurityPage({ params }: PageOf<"workspace">) {
  const { workspace: slug } = await params;
  await requireScope(slug);
  const user = await requireUser();
  const [t, account, sessions] = await Promise.all([
    getTranslations("security"),
    getAccountSecurity(user.pk),
    listSessions(user),
  ]);
  return (
    <Texts of={["auth", "security"]}>
      <PageHead heading={t("heading")} note={t("note")} />
      <div className="grid max-w-2xl gap-5">
        <EmailCard
          email={account.email}
          proven={account.proven}
          password={account.password}
          change={changeEmailAction}
          confirm={confirmOwnEmailAction}
        />
        <PasswordCard has={account.password} change={changePasswordAction} limits={limits} />
        <FactorCard
          on={account.factor}
          recoveryLeft={account.recoveryLeft}
          begin={beginFactorAction}
          confirm={confirmFactorAction.bind(null, slug)}
          renew={renewRecoveryAction.bind(null, slug)}
          drop={dropFactorAction.bind(null, slug)}
        />
        <SessionList
          sessions={sessions}
          end={endSessionAction.bind(null, slug)}
          endOthers={endOthersAction.bind(null, slug)}
        />
        <DeleteAccount password={account.password} deleteAccount={deleteAccountAction} />
      </div>
    </Texts>
  );
}
