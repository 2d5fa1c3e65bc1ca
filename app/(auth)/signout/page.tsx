import { getTranslations } from "next-intl/server";
import { AuthCard } from "#components/auth/auth-card";
import { SignOutButton } from "#components/auth/sign-out-button";
import { Texts, titleOf } from "../../pages.tsx";

export const generateMetadata = titleOf("auth.signOutTitle");

/** Asks first: a URL alone must not sign out. */
export default async function SignOutPage() {
  const t = await getTranslations("auth");
  return (
    <AuthCard heading={t("signOutHeading")} note={t("signOutNote")}>
      <Texts of={["shell"]}>
        <SignOutButton />
      </Texts>
    </AuthCard>
  );
}
