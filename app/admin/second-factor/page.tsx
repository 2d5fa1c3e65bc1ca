import { ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AuthCard } from "#components/auth/auth-card";
import { FactorForm } from "#components/auth/code-form";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { officeFactorHours, officeIdleMinutes } from "#lib/tenancy/operators";
import { Texts } from "../../pages.tsx";
import { proveFactorAction } from "../../proof-actions.ts";
import { findOperatorAccess } from "../access.ts";

async function requireMissingFactor(): Promise<"factor_missing" | "factor_due"> {
  const access = await findOperatorAccess();
  if (access?.ok) redirect("/admin");
  return !access || access.code === "hidden" ? notFound() : access.code;
}

export async function generateMetadata(): Promise<Metadata> {
  const missing = await requireMissingFactor();
  const t = await getTranslations("admin.factor");
  return { title: t(missing === "factor_missing" ? "title" : "dueTitle") };
}

/** Outside the frame of the back office, which this person cannot open yet. */
export default async function SecondFactorPage() {
  if ((await requireMissingFactor()) === "factor_due") return await CodePage();
  const t = await getTranslations("admin.factor");
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <EmptyState
        icon={<ShieldCheck aria-hidden />}
        title={t("title")}
        wholePage
        actions={
          <Button asChild variant="solid">
            <Link href="/app/account/security">{t("setUp")}</Link>
          </Button>
        }
      >
        {t("text")}
      </EmptyState>
    </main>
  );
}

/** Shown when the session has not passed the second factor or its access has expired. */
async function CodePage() {
  const t = await getTranslations("admin.factor");
  const values = { hours: officeFactorHours, minutes: officeIdleMinutes };
  return (
    <Texts of={["auth", "entry", "errors"]}>
      <main
        id="content"
        className="grid min-h-dvh content-center justify-items-center bg-sunken px-5 pb-24"
      >
        <div className="w-full max-w-sm">
          <AuthCard heading={t("dueTitle")} note={t("dueText", values)}>
            <FactorForm check={proveFactorAction} next="/admin" />
          </AuthCard>
        </div>
      </main>
    </Texts>
  );
}
