import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getSessionUser, hasOwner, sites } from "#lib/identity/auth";
import type { ErrorWord } from "#lib/platform/messages/schema";
import { AuthCard } from "../../../components/auth/auth-card.tsx";
import { SignInForm } from "../../../components/auth/sign-in-form.tsx";
import { SiteButtons } from "../../../components/auth/site-buttons.tsx";
import { Way } from "../../../components/auth/way.tsx";
import { FormError } from "../../../components/ui/form-error.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("signInTitle") };
}

/** The page after signing in: the dashboard, or an emailed page; never another site. */
function destination(asked: string | string[] | undefined): string {
  const own = /^(\/app(\/[\w.-]+)*|\/(invite|verify)\?token=[\w-]{43})$/;
  return typeof asked === "string" && own.test(asked) ? asked : "/app";
}

/** Why signing in with another site failed. */
const words: Record<string, ErrorWord> = {
  email_unproven: "siteUnproven",
  account_exists: "siteExists",
  closed: "signUpClosed",
};

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const asked = await searchParams;
  const next = destination(asked["next"]);
  if (await getSessionUser()) redirect(next);
  if (!(await hasOwner())) redirect("/signup");
  const [t, entry, errors] = await Promise.all([
    getTranslations("auth"),
    getTranslations("entry"),
    getTranslations("errors"),
  ]);
  const refused = asked["error"];
  return (
    <AuthCard
      heading={t("signInHeading")}
      below={
        <>
          {t("noAccount")} <Way to="/signup">{t("signUp")}</Way>
        </>
      }
    >
      {refused === undefined ? null : (
        <div className="mb-4">
          <FormError>{errors(words[String(refused)] ?? "unknown")}</FormError>
        </div>
      )}
      <SignInForm next={next} />
      <p className="mt-4 flex flex-wrap justify-between gap-2 text-sm">
        <Way to="/reset">{entry("forgot")}</Way>
        <Way to="/signin/letter">{entry("byLetter")}</Way>
      </p>
      <SiteButtons sites={sites()} next={next} />
    </AuthCard>
  );
}
