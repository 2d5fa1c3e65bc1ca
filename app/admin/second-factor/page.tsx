import { ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AuthCard } from "#components/auth/auth-card";
import { FactorForm } from "#components/auth/code-form";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { getAccountSecurity } from "#lib/identity/accounts";
import { findMissingProofOf } from "#lib/identity/presence";
import { officeFactorHours, officeIdleMinutes } from "#lib/tenancy/operators";
import { requireUser } from "../../app/access.ts";
import { Texts } from "../../pages.tsx";
import { askPresenceAction, proveFactorAction, provePasskeyAction } from "../../proof-actions.ts";
import { findOperatorAccess } from "../access.ts";

/** What this administrator can give. Nothing: neither a second factor nor a passkey is set up. */
async function requireMissingFactor(): Promise<{ factor: boolean; passkey: boolean }> {
  const access = await findOperatorAccess();
  if (access?.ok) redirect("/admin");
  if (!access || access.code === "hidden") notFound();
  const user = await requireUser("/admin");
  const [{ factor }, { passkey }] = await Promise.all([
    getAccountSecurity(user.pk),
    findMissingProofOf(user),
  ]);
  return { factor, passkey };
}

export async function generateMetadata(): Promise<Metadata> {
  const { factor, passkey } = await requireMissingFactor();
  const t = await getTranslations("admin.factor");
  return { title: t(factor || passkey ? "dueTitle" : "title") };
}

/** Outside the frame of the back office, which this person cannot open yet. */
export default async function SecondFactorPage() {
  const factors = await requireMissingFactor();
  if (factors.factor || factors.passkey) return await CodePage(factors);
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
async function CodePage({ factor, passkey }: { factor: boolean; passkey: boolean }) {
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
            <FactorForm
              check={proveFactorAction}
              passkey={passkey ? { ask: askPresenceAction, check: provePasskeyAction } : undefined}
              passkeyOnly={!factor}
              next="/admin"
            />
          </AuthCard>
        </div>
      </main>
    </Texts>
  );
}
