import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PlanTable } from "#components/plans/plan-table";
import { Button } from "#components/ui/button";
import { offersSupport } from "#lib/tenancy/support";
import { hasPrices, listPlans } from "../../plans.ts";
import { findVisitor } from "../visitor.ts";

const notes = ["month", "full", "keepsWorking", "keep", "own"] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("pricing");
  return { title: t("title"), description: t("lead") };
}

export default async function PricingPage() {
  if (!hasPrices()) notFound();
  const [t, user] = await Promise.all([getTranslations("pricing"), findVisitor()]);
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
      <p className="mt-3 mb-8 max-w-2xl text-ink-muted">{t("lead")}</p>
      <PlanTable plans={listPlans()} offersSupport={offersSupport()} />
      <ul className="mt-8 grid max-w-2xl list-disc gap-2 pl-5 text-sm">
        {notes.map((note) => (
          <li key={note}>{t(`notes.${note}`)}</li>
        ))}
      </ul>
      <Button asChild variant="solid" size="lg" className="mt-8">
        <Link href={user ? "/app" : "/signup"}>{t(user ? "dashboard" : "begin")}</Link>
      </Button>
    </>
  );
}
