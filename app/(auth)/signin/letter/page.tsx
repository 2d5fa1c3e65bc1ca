import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { EmailSignIn } from "#components/auth/email-sign-in";
import { RequestEmailForm } from "#components/auth/request-email-form";
import { type PageQuery, titleOf } from "../../../pages.tsx";
import { requestEmailAction } from "../../actions.ts";
import { tokenIn } from "../../token.ts";

export const generateMetadata = titleOf("entry.letterTitle");

/** Without a token, requests the email. With one, signs in. */
export default async function EmailSignInPage(props: PageQuery) {
  const [t, token] = await Promise.all([getTranslations("entry"), tokenIn(props)]);
  const below = <AuthLink to="/signin">{t("back")}</AuthLink>;
  if (token === undefined) {
    return (
      <AuthCard heading={t("letterAskHeading")} note={t("letterAskNote")} below={below}>
        <RequestEmailForm request={requestEmailAction.bind(null, "signin")} />
      </AuthCard>
    );
  }
  return (
    <AuthCard heading={t("letterHeading")} note={t("letterNote")} below={below}>
      <EmailSignIn token={token} />
    </AuthCard>
  );
}
