import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getSessionUser, hasOwner } from "#lib/auth";
import { passwordCharsMax, passwordCharsMin } from "#lib/auth/schema";
import { AuthCard } from "../../../components/auth/auth-card.tsx";
import { SignUpForm } from "../../../components/auth/sign-up-form.tsx";
import { signUpAction } from "./actions.ts";

const limits = { min: passwordCharsMin, max: passwordCharsMax };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("signUpTitle") };
}

export default async function SignUpPage() {
  if (await getSessionUser()) redirect("/app");
  const [t, owned] = await Promise.all([getTranslations("auth"), hasOwner()]);
  if (!owned) {
    return (
      <AuthCard heading={t("ownerHeading")} note={t("ownerNote")}>
        <SignUpForm signUp={signUpAction} limits={limits} />
      </AuthCard>
    );
  }
  return (
    <AuthCard
      heading={t("signUpHeading")}
      below={
        <>
          {t("haveAccount")}{" "}
          <Link
            href="/signin"
            className="rounded-xs font-medium text-accent underline-offset-4 hover:underline"
          >
            {t("signIn")}
          </Link>
        </>
      }
    >
      <SignUpForm signUp={signUpAction} limits={limits} />
    </AuthCard>
  );
}
