"use client";

import { Download, MessageSquareOff } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { ListPages } from "#components/shell/list-pages";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import type { AddedOptOuts, OptOut } from "#lib/outreach/opt-outs/schema";
import { ExactSearch } from "../named/exact-search.tsx";
import { AddOptOuts } from "./opt-out-add.tsx";

interface OptOutManagerProps {
  optOuts: readonly OptOut[];
  zone: string;
  pages: { first: string | undefined; next: string | undefined };
  /** Null for members who may not see phones. */
  exportUrl: string | null;
  /** Null for members who may not see phones. */
  find: ((phone: string, country: string) => Promise<FormAnswer<OptOut | null>>) | null;
  add: ((phones: string[], country: string) => Promise<FormAnswer<AddedOptOuts>>) | null;
  phonesPerCall: number;
  /** Null for members who may not do this. */
  remove: ((id: string) => Promise<FormAnswer<null>>) | null;
}

interface Listed extends OptOut {
  name: string;
}

export function OptOutManager(props: OptOutManagerProps) {
  const { optOuts, zone, pages, exportUrl, find, add, phonesPerCall, remove } = props;
  const t = useTranslations("optOuts");
  const [found, setFound] = useState<OptOut>();
  const rows = (found ? [found] : optOuts).map((one) => ({
    ...one,
    name: one.phone ?? t("erased"),
  }));
  const { shown, ask, question } = useRemoval(rows, remove, {
    removed: (name) => t("removed", { name }),
    notRemoved: (name) => t("notRemoved", { name }),
  });
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        <div className="flex flex-wrap gap-2">
          {exportUrl && optOuts.length > 0 ? (
            <Button asChild>
              <a href={exportUrl} download>
                <Download aria-hidden />
                {t("export")}
              </a>
            </Button>
          ) : null}
          {add ? <AddOptOuts add={add} perCall={phonesPerCall} /> : null}
        </div>
      </PageHead>
      {find && (optOuts.length > 0 || pages.first) ? (
        <ExactSearch
          messages="optOuts"
          inputMode="tel"
          search={(phone) => find(phone, "")}
          onFound={setFound}
        />
      ) : null}
      {shown.length > 0 ? (
        <OptOutTable rows={shown} zone={zone} onRemove={remove ? ask : null} />
      ) : (
        <EmptyState icon={<MessageSquareOff aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      {found ? null : <ListPages {...pages} newest={t("newest")} older={t("older")} />}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("removeTitle", { name: question.thing.name })}
          action={t("removeAction")}
        >
          {t("removeText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface OptOutTableProps {
  rows: readonly Listed[];
  zone: string;
  onRemove: ((row: Listed) => void) | null;
}

function OptOutTable({ rows, zone, onRemove }: OptOutTableProps) {
  const t = useTranslations("optOuts");
  const format = useFormatter();
  return (
    <DataTable
      caption={t("caption")}
      rows={rows}
      columns={[
        { heading: t("phone"), cellClass: "font-medium tabular-nums", cell: ({ name }) => name },
        {
          heading: t("source"),
          cellClass: "text-ink-muted",
          cell: ({ source }) => t(`sources.${source ?? "none"}`),
        },
        {
          heading: t("date"),
          className: "hidden sm:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ createdAt }) =>
            format.dateTime(new Date(createdAt), {
              dateStyle: "medium",
              timeStyle: "short",
              timeZone: zone,
            }),
        },
        {
          heading: t("actions"),
          silent: true,
          cellClass: "text-right",
          cell: (row) =>
            onRemove ? (
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("removeNamed", { name: row.name })}
                onClick={() => onRemove(row)}
              >
                {t("remove")}
              </Button>
            ) : null,
        },
      ]}
    />
  );
}
