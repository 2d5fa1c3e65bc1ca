import { ScrollText } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { useMoment } from "#components/admin/tables";
import { operationOf } from "#components/audit/actions.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { listOperations, operationsMax } from "#lib/office/views";
import type { OfficeOperation } from "#lib/office/views/schema";
import type { PageQuery } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";

export const generateMetadata = officeTitle("audit");

export default async function AdminAuditPage({ searchParams }: PageQuery) {
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

function OperationList({ operations }: { operations: readonly OfficeOperation[] }) {
  const t = useTranslations("admin.nav");
  return (
    <ol aria-label={t("audit")} className="rounded-xl border border-line bg-surface">
      {operations.map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
    </ol>
  );
}

const viewedPages = ["links", "workspaces", "people", "reports"] as const;

function Operation({ operation }: { operation: OfficeOperation }) {
  const t = useTranslations("admin.audit");
  const sentences = useTranslations("audit.operations");
  const moment = useMoment();
  const { at, actor, actorName, action, details, workspace, address } = operation;
  const page = useViewedPage(details?.["viewed"]);
  const name = operation.subjectName ?? textIn(details) ?? operation.subject ?? page ?? "–";
  const strong = (text: ReactNode) => <strong className="font-medium">{text}</strong>;
  const verb = operationOf(action);
  const who = actorName ?? (actor === "system" ? t("system") : actor);
  const reason = details?.["reason"];
  return (
    <li className="grid gap-1 border-line border-b px-4 py-3 last:border-b-0">
      <p className="break-words text-sm">
        {action === "operator.find" && workspace === null
          ? t.rich("searched", { actor: who, name, strong })
          : verb
            ? sentences.rich(verb, { actor: who, name, strong })
            : `${who}: ${action} ${name}`}
      </p>
      {typeof reason === "string" ? (
        <p className="break-words text-sm">{t("reason", { reason })}</p>
      ) : null}
      <p className="flex flex-wrap gap-x-2 text-ink-muted text-xs">
        <time dateTime={at}>{moment(at)}</time>
        {workspace ? <span>{t("inWorkspace", { name: workspace.name })}</span> : null}
        {address ? <span className="break-all">{address}</span> : null}
      </p>
    </li>
  );
}

/** The name of a list in the side navigation. */
function useViewedPage(viewed: unknown): string | undefined {
  const t = useTranslations("admin.nav");
  const page = viewedPages.find((one) => one === viewed);
  return page && t(page);
}

function textIn(details: OfficeOperation["details"]): string | undefined {
  const { text, email, name } = details ?? {};
  return [text, email, name].find((one) => typeof one === "string");
}
