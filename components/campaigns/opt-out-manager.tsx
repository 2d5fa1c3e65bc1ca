"use client";

import { Download, MessageSquareOff, Search } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type FormEvent, useState, useTransition } from "react";
import type { AddedOptOuts, OptOut } from "#lib/outreach/opt-outs/schema";
import type { FormAnswer } from "../forms/form.tsx";
import { useRemoval } from "../forms/removal.ts";
import { useAction } from "../forms/use-action.ts";
import { PageHead } from "../shell/page-head.tsx";
import { PrefetchLink } from "../shell/prefetch-link.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Input } from "../ui/input.tsx";
import { AddOptOuts } from "./opt-out-add.tsx";

interface OptOutManagerProps {
  optOuts: readonly OptOut[];
  zone: string;
  pages: { first: string | undefined; next: string | undefined };
  /** Null: may not see phones. */
  exportUrl: string | null;
  find: (phone: string, country: string) => Promise<FormAnswer<OptOut | null>>;
  /** Null: read-only. */
  add: ((phones: string[], country: string) => Promise<FormAnswer<AddedOptOuts>>) | null;
  remove: ((id: string) => Promise<FormAnswer<null>>) | null;
}

interface Listed extends OptOut {
  /** The phone, as far as it may be seen. */
  name: string;
}

/** The phones that get no messages: a search, the list, and forms that add and remove them. */
export function OptOutManager(props: OptOutManagerProps) {
  const { optOuts, zone, pages, exportUrl, find, add, remove } = props;
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
          {add ? <AddOptOuts add={add} /> : null}
        </div>
      </PageHead>
      {optOuts.length > 0 || pages.first ? <PhoneSearch find={find} onFound={setFound} /> : null}
      {shown.length > 0 ? (
        <OptOutTable rows={shown} zone={zone} onRemove={remove ? ask : null} />
      ) : (
        <EmptyState icon={<MessageSquareOff aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      {found ? null : <Pages {...pages} />}
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

function Pages({ first, next }: OptOutManagerProps["pages"]) {
  const t = useTranslations("optOuts");
  if (!first && !next) return null;
  return (
    <div className="mt-4 flex justify-end gap-2">
      {first ? (
        <Button asChild>
          <PrefetchLink href={first}>{t("newest")}</PrefetchLink>
        </Button>
      ) : null}
      {next ? (
        <Button asChild>
          <PrefetchLink href={next}>{t("older")}</PrefetchLink>
        </Button>
      ) : null}
    </div>
  );
}

interface PhoneSearchProps {
  find: OptOutManagerProps["find"];
  /** Undefined: the list is shown again. */
  onFound: (found: OptOut | undefined) => void;
}

/** Finds one phone. Only whole numbers can be found: what is stored is a keyed hash. */
function PhoneSearch({ find, onFound }: PhoneSearchProps) {
  const t = useTranslations("optOuts");
  const runAction = useAction();
  const [phone, setPhone] = useState("");
  const [result, setResult] = useState<"found" | "missing">();
  const [pending, start] = useTransition();

  function search(event: FormEvent) {
    event.preventDefault();
    if (phone.trim() === "") return reset();
    start(async () => {
      const answer = await runAction(() => find(phone.trim(), ""));
      if (!answer) return;
      setResult(answer.done ? "found" : "missing");
      onFound(answer.done ?? undefined);
    });
  }

  function reset() {
    setPhone("");
    setResult(undefined);
    onFound(undefined);
  }

  return (
    <search className="mb-4 grid gap-2">
      <form onSubmit={search} className="flex max-w-md gap-2">
        <Input
          aria-label={t("search")}
          placeholder={t("searchPlaceholder")}
          inputMode="tel"
          autoComplete="off"
          value={phone}
          onChange={({ target }) => setPhone(target.value)}
        />
        <Button type="submit" pending={pending} className="h-9 pointer-coarse:h-11">
          <Search aria-hidden />
          {t("find")}
        </Button>
        {result ? (
          <Button variant="ghost" onClick={reset} className="h-9 pointer-coarse:h-11">
            {t("showAll")}
          </Button>
        ) : null}
      </form>
      <p role="status" className="text-sm empty:hidden">
        {result ? t(result) : null}
      </p>
    </search>
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
        {
          heading: t("phone"),
          cellClass: "font-medium tabular-nums",
          cell: ({ name }) => name,
        },
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
