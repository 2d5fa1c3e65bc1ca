import { ScrollText } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { OperationList } from "#components/admin/operation-list";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { listOperations, operationsMax } from "#lib/office/views";
import { requireOperator } from "../../access.ts";
import { officeMetadata } from "../../title.ts";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("audit");
}

interface AdminAuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AdminAuditPage({ searchParams }: AdminAuditPageProps) {
  const operator = await requireOperator();
  const { after } = await searchParams;
  const [nav, t, operations] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.audit"),
    listOperations(operator, typeof after === "string" ? after : undefined),
  ]);
  const last = operations.length === operationsMax ? operations.at(-1) : undefined;
  return (
    <>
      <PageHead heading={nav("audit")} note={t("note")} />
      {operations.length > 0 ? (
        <OperationList operations={operations} />
      ) : (
        <EmptyState icon={<ScrollText aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      {last ? (
        <Button asChild className="mt-4">
          <Link href={`/admin/audit?after=${last.id}`} prefetch={false}>
            {t("older")}
          </Link>
        </Button>
      ) : null}
    </>
  );
}
