import { getTranslations } from "next-intl/server";
import { DeleteAccount, EmailCard, PasswordCard } from "#components/accounts/account-cards";
import { FactorCard } from "#components/accounts/factor-card";
import { SessionList } from "#components/accounts/session-list";
import { PageHead } from "#components/shell/page-head";
import { getAccountSecurity } from "#lib/identity/accounts";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { listSessions } from "#lib/identity/sessions";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope, requireUser } from "../../../access.ts";
import * as actions from "./actions.ts";

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
          change={actions.changeEmailAction}
          confirm={actions.confirmOwnEmailAction}
        />
        <PasswordCard
          has={account.password}
          change={actions.changePasswordAction}
          limits={limits}
        />
        <FactorCard
          on={account.factor}
          recoveryLeft={account.recoveryLeft}
          begin={actions.beginFactorAction}
          confirm={actions.confirmFactorAction.bind(null, slug)}
          renew={actions.renewRecoveryAction.bind(null, slug)}
          drop={actions.dropFactorAction.bind(null, slug)}
        />
        <SessionList
          sessions={sessions}
          end={actions.endSessionAction.bind(null, slug)}
          endOthers={actions.endOthersAction.bind(null, slug)}
        />
        <DeleteAccount password={account.password} deleteAccount={actions.deleteAccountAction} />
      </div>
    </Texts>
  );
}
