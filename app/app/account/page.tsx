import { getTranslations } from "next-intl/server";
import { DeleteAccount, EmailCard, NameCard } from "#components/accounts/account-cards";
import { PageHead } from "#components/shell/page-head";
import { PreferenceCard } from "#components/shell/preference-card";
import { getAccountSecurity } from "#lib/identity/accounts";
import { nameCharsMax } from "#lib/identity/auth/schema";
import { titleOf } from "../../pages.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { requireOwner } from "../access.ts";
import * as actions from "./actions.ts";

export const generateMetadata = titleOf("security.profile");

export default async function AccountPage() {
  const user = await requireOwner("/app/account");
  const [t, account, theme] = await Promise.all([
    getTranslations("security"),
    getAccountSecurity(user.pk),
    getTheme(),
  ]);
  return (
    <>
      <PageHead heading={t("profile")} note={t("note")} />
      <div className="grid max-w-2xl gap-5">
        <NameCard name={user.name} charsMax={nameCharsMax} change={actions.changeNameAction} />
        <EmailCard
          email={account.email}
          proven={account.proven}
          password={account.password}
          change={actions.changeEmailAction}
          confirm={actions.confirmOwnEmailAction}
        />
        <PreferenceCard theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        <DeleteAccount password={account.password} deleteAccount={actions.deleteAccountAction} />
      </div>
    </>
  );
}
