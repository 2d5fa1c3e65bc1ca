import { ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import { Button } from "../../../components/ui/button.tsx";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { requireUser } from "../../app/access.ts";
import { findOperatorAccess } from "../access.ts";

async function requireMissingFactor(): Promise<void> {
  const access = await findOperatorAccess();
  if (access?.ok) redirect("/admin");
  if (access?.code !== "factor_missing") notFound();
}

export async function generateMetadata(): Promise<Metadata> {
  await requireMissingFactor();
  const t = await getTranslations("admin.factor");
  return { title: t("title") };
}

/** Outside of the frame of the back office, which this person cannot open yet. */
export default async function SecondFactorPage() {
  await requireMissingFactor();
  const user = await requireUser();
  const [t, [workspace]] = await Promise.all([
    getTranslations("admin.factor"),
    listWorkspaces(user.id),
  ]);
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <EmptyState
        icon={<ShieldCheck aria-hidden />}
        title={t("title")}
        wholePage
        actions={
          <Button asChild variant="solid">
            <Link href={workspace ? `/app/${workspace.slug}/settings/security` : "/app"}>
              {t("setUp")}
            </Link>
          </Button>
        }
      >
        {t("text")}
      </EmptyState>
    </main>
  );
}
