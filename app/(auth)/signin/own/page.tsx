import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { SignOutButton } from "#components/auth/sign-out-button";
import { Texts, titleOf } from "../../../pages.tsx";

export const generateMetadata = titleOf("entry.ownHeading");

/** For sessions of a workspace’s provider, where a page of the account would be. */
export default async function OwnSessionPage() {
  const t = await getTranslations("entry");
  return (
    <AuthCard
      heading={t("ownHeading")}
      note={t("ownNote")}
      below={<AuthLink to="/app">{t("onward")}</AuthLink>}
    >
      <Texts of={["shell"]}>
        <SignOutButton />
      </Texts>
    </AuthCard>
  );
}
