import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { OAuthButtons } from "#components/auth/oauth-buttons";
import { SignUpForm } from "#components/auth/sign-up-form";
import { getRequestAddress, getSessionUser, hasOwner, oauthSites } from "#lib/identity/auth";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { anyProvenDomain } from "#lib/identity/sso-providers";
import { findInvitation } from "#lib/tenancy/members";
import { type PageQuery, titleOf } from "../../pages.tsx";
import { signUpAction } from "./actions.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export const generateMetadata = titleOf("auth.signUpTitle");

export default async function SignUpPage({ searchParams }: PageQuery) {
  if (await getSessionUser()) redirect("/app");
  const [t, owned, query, sso] = await Promise.all([
    getTranslations("auth"),
    hasOwner(),
    searchParams,
    anyProvenDomain(),
  ]);
  if (!owned) {
    return (
      <AuthCard heading={t("ownerHeading")} note={t("ownerNote")}>
        <SignUpForm signUp={signUpAction.bind(null, "")} invited="" limits={limits} next="/app" />
      </AuthCard>
    );
  }
  const inviteParam = query["invite"];
  const invite =
    typeof inviteParam === "string" && /^[\w-]{43}$/.test(inviteParam) ? inviteParam : "";
  const next = invite === "" ? "/app" : `/invite?token=${invite}`;
  const invitation = invite ? await findInvitation(invite, await getRequestAddress()) : undefined;
  return (
    <AuthCard
      heading={t("signUpHeading")}
      below={
        <>
          {t("haveAccount")}{" "}
          <AuthLink to={`/signin?next=${encodeURIComponent(next)}`}>{t("signIn")}</AuthLink>
        </>
      }
    >
      <SignUpForm
        signUp={signUpAction.bind(null, invite)}
        invited={invitation?.email ?? ""}
        limits={limits}
        next={next}
      />
      <OAuthButtons sites={oauthSites()} sso={sso} next={next} />
    </AuthCard>
  );
}
