import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getSessionUser, hasOwner } from "#lib/auth";
import { AuthCard } from "../../../components/auth/auth-card.tsx";
import { SignInForm } from "../../../components/auth/sign-in-form.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("signInTitle") };
}

/** Where to go afterwards: into the dashboard only, wherever the address points. */
function destination(asked: string | string[] | undefined): string {
  if (typeof asked !== "string" || !/^\/app(\/[\w.-]+)*$/.test(asked)) return "/app";
  return asked;
}

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const next = destination((await searchParams)["next"]);
  if (await getSessionUser()) redirect(next);
  if (!(await hasOwner())) redirect("/signup");
  const t = await getTranslations("auth");
  return (
    <AuthCard
      heading={t("signInHeading")}
      below={
        <>
          {t("noAccount")}{" "}
          <Link
            href="/signup"
            className="rounded-xs font-medium text-accent underline-offset-4 hover:underline"
          >
            {t("signUp")}
          </Link>
        </>
      }
    >
      <SignInForm next={next} />
    </AuthCard>
  );
}
