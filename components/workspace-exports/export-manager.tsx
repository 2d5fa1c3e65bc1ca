"use client";

import { Archive, Download } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { PageHead } from "#components/shell/page-head";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import { Button } from "#components/ui/button";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import { Spinner } from "#components/ui/spinner";
import { toast } from "#components/ui/toast";
import type { WorkspaceExport } from "#lib/transfer/workspace-export/schema";

interface ExportManagerProps {
  exports: readonly WorkspaceExport[];
  keptDays: number;
  path: string;
  start: () => Promise<FormAnswer<boolean>>;
}

export function ExportManager({ exports, keptDays, path, start }: ExportManagerProps) {
  const t = useTranslations("takeouts");
  const runAction = useAction();
  const [pending, run] = useTransition();
  const open = exports.some(({ state }) => state === "waiting" || state === "running");
  useRefreshWhile(open);

  const begin = () =>
    run(async () => {
      if (await runAction(start)) toast.success(t("begun"));
    });

  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        <Button variant="solid" pending={pending} disabled={open} onClick={begin}>
          <Archive aria-hidden />
          {t("start")}
        </Button>
      </PageHead>
      {exports.length > 0 ? (
        <ExportTable exports={exports} path={path} />
      ) : (
        <EmptyState icon={<Archive aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText", { days: keptDays })}
        </EmptyState>
      )}
    </>
  );
}

function ExportTable({ exports, path }: { exports: readonly WorkspaceExport[]; path: string }) {
  const t = useTranslations("takeouts");
  const format = useFormatter();
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  return (
    <DataTable
      caption={t("heading")}
      rows={exports}
      columns={[
        { heading: t("columnMade"), cell: ({ createdAt }) => moment(createdAt) },
        {
          heading: t("columnState"),
          cell: (workspaceExport) => <State takeout={workspaceExport} />,
        },
        {
          heading: t("columnEnds"),
          className: "hidden sm:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ expiresAt }) => (expiresAt ? moment(expiresAt) : null),
        },
        {
          heading: t("columnFile"),
          silent: true,
          cellClass: "text-right",
          cell: ({ id, state }) =>
            state === "done" ? (
              <Button asChild size="sm">
                <a href={`${path}/${id}`} download>
                  <Download aria-hidden />
                  {t("download")}
                </a>
              </Button>
            ) : null,
        },
      ]}
    />
  );
}

const megabyte = 1_000_000;

function State({ takeout: { state, done, bytes } }: { takeout: WorkspaceExport }) {
  const t = useTranslations("takeouts");
  const format = useFormatter();
  if (state === "done") {
    const size = format.number((bytes ?? 0) / megabyte, {
      style: "unit",
      unit: "megabyte",
      maximumFractionDigits: 1,
    });
    return <span className="tabular-nums">{size}</span>;
  }
  if (state === "failed") return <span className="text-danger">{t("failed")}</span>;
  return (
    <span role="status" className="inline-flex items-center gap-2 text-ink-muted">
      <Spinner />
      {t("rows", { count: done })}
    </span>
  );
}
