import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { AuthCard } from "../../../components/auth/auth-card.tsx";
import { LetterForm } from "../../../components/auth/letter-form.tsx";
import { ResetForm } from "../../../components/auth/reset-form.tsx";
import { Way } from "../../../components/auth/way.tsx";
import { askForLetterAction, resetPasswordAction } from "../actions.ts";
import { type PageQuery, tokenIn } from "../token.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("entry");
  return { title: t("resetTitle") };
}

/** Without a token it requests the email, with one the new password. */
export default async function ResetPage(props: PageQuery) {
  const [t, token] = await Promise.all([getTranslations("entry"), tokenIn(props)]);
  const below = <Way to="/signin">{t("back")}</Way>;
  if (token === undefined) {
    return (
      <AuthCard heading={t("resetAskHeading")} note={t("resetAskNote")} below={below}>
        <LetterForm ask={askForLetterAction.bind(null, "reset")} />
      </AuthCard>
    );
  }
  return (
    <AuthCard heading={t("resetHeading")} note={t("resetNote")} below={below}>
      <ResetForm reset={resetPasswordAction.bind(null, token)} limits={limits} />
    </AuthCard>
  );
}
