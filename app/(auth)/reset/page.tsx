import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { RequestEmailForm } from "#components/auth/request-email-form";
import { ResetForm } from "#components/auth/reset-form";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { type PageQuery, titleOf } from "../../pages.tsx";
import { requestEmailAction, resetPasswordAction } from "../actions.ts";
import { tokenIn } from "../token.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export const generateMetadata = titleOf("entry.resetTitle");

/** Without a token, requests the email. With one, asks for the new password. */
export default async function ResetPage(props: PageQuery) {
  const [t, token] = await Promise.all([getTranslations("entry"), tokenIn(props)]);
  const below = <AuthLink to="/signin">{t("back")}</AuthLink>;
  if (token === undefined) {
    return (
      <AuthCard heading={t("resetAskHeading")} note={t("resetAskNote")} below={below}>
        <RequestEmailForm request={requestEmailAction.bind(null, "reset")} />
      </AuthCard>
    );
  }
  return (
    <AuthCard heading={t("resetHeading")} note={t("resetNote")} below={below}>
      <ResetForm reset={resetPasswordAction.bind(null, token)} limits={limits} />
    </AuthCard>
  );
}
