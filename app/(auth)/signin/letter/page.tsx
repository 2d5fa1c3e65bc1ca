import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AuthCard } from "../../../../components/auth/auth-card.tsx";
import { LetterForm } from "../../../../components/auth/letter-form.tsx";
import { LetterSignIn } from "../../../../components/auth/letter-sign-in.tsx";
import { Way } from "../../../../components/auth/way.tsx";
import { askForLetterAction } from "../../actions.ts";
import { type PageQuery, tokenIn } from "../../token.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("entry");
  return { title: t("letterTitle") };
}

/** Without a token it requests the email, with one it signs in. */
export default async function LetterPage(props: PageQuery) {
  const [t, token] = await Promise.all([getTranslations("entry"), tokenIn(props)]);
  const below = <Way to="/signin">{t("back")}</Way>;
  if (token === undefined) {
    return (
      <AuthCard heading={t("letterAskHeading")} note={t("letterAskNote")} below={below}>
        <LetterForm ask={askForLetterAction.bind(null, "signin")} />
      </AuthCard>
    );
  }
  return (
    <AuthCard heading={t("letterHeading")} note={t("letterNote")} below={below}>
      <LetterSignIn token={token} />
    </AuthCard>
  );
}
