"use client";

import { FileSpreadsheet } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import { Badge } from "#components/ui/badge";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import type { ImportSummary } from "#lib/transfer/imports/schema";

const tones = {
  ready: "blue",
  waiting: "gray",
  running: "blue",
  done: "green",
  failed: "red",
  cancelled: "yellow",
} as const;

/** Every row was skipped, so this does not count as a success. */
export function isFruitless({ state, made }: Pick<ImportSummary, "state" | "made">): boolean {
  return state === "done" && made === 0;
}

export function ImportList({ imports, path }: { imports: readonly ImportSummary[]; path: string }) {
  const t = useTranslations("imports");
  const format = useFormatter();
  useRefreshWhile(imports.some(({ state }) => state === "waiting" || state === "running"));
  if (imports.length === 0) {
    return (
      <EmptyState icon={<FileSpreadsheet aria-hidden />} title={t("emptyTitle")}>
        {t("emptyText")}
      </EmptyState>
    );
  }
  return (
    <DataTable
      caption={t("heading")}
      rows={imports}
      columns={[
        {
          heading: t("file"),
          cellClass: "max-w-32 truncate font-medium sm:max-w-56",
          cell: ({ id, name }) => (
            <Link href={`${path}/${id}`} className="underline-offset-2 hover:underline">
              {name}
            </Link>
          ),
        },
        {
          heading: t("state"),
          cell: (one) =>
            isFruitless(one) ? (
              <Badge tone="yellow">{t("states.fruitless")}</Badge>
            ) : (
              <Badge tone={tones[one.state]}>{t(`states.${one.state}`)}</Badge>
            ),
        },
        {
          heading: t("made"),
          className: "text-right",
          cellClass: "tabular-nums",
          cell: ({ made, reused }) => format.number(made - reused),
        },
        {
          heading: t("refused"),
          className: "hidden text-right sm:table-cell",
          cellClass: "tabular-nums",
          cell: ({ refused }) => format.number(refused),
        },
        {
          heading: t("uploaded"),
          className: "hidden sm:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ createdAt }) =>
            format.dateTime(new Date(createdAt), { dateStyle: "medium", timeStyle: "short" }),
        },
      ]}
    />
  );
}
