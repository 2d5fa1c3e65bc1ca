import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getSessionUser, hasOwner, sites } from "#lib/identity/auth";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import { AuthCard } from "../../../components/auth/auth-card.tsx";
import { SignUpForm } from "../../../components/auth/sign-up-form.tsx";
import { SiteButtons } from "../../../components/auth/site-buttons.tsx";
import { Way } from "../../../components/auth/way.tsx";
import { signUpAction } from "./actions.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("signUpTitle") };
}

interface SignUpPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  if (await getSessionUser()) redirect("/app");
  const [t, owned, query] = await Promise.all([getTranslations("auth"), hasOwner(), searchParams]);
  if (!owned) {
    return (
      <AuthCard heading={t("ownerHeading")} note={t("ownerNote")}>
        <SignUpForm signUp={signUpAction.bind(null, "")} limits={limits} next="/app" />
      </AuthCard>
    );
  }
  const asked = query["invite"];
  const invite = typeof asked === "string" && /^[\w-]{43}$/.test(asked) ? asked : "";
  const next = invite === "" ? "/app" : `/invite?token=${invite}`;
  return (
    <AuthCard
      heading={t("signUpHeading")}
      below={
        <>
          {t("haveAccount")}{" "}
          <Way to={`/signin?next=${encodeURIComponent(next)}`}>{t("signIn")}</Way>
        </>
      }
    >
      <SignUpForm signUp={signUpAction.bind(null, invite)} limits={limits} next={next} />
      <SiteButtons sites={sites()} next={next} />
    </AuthCard>
  );
}
