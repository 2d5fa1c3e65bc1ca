"use client";

import { UserX } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { FormAnswer } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { withoutScheme } from "#components/links/names.ts";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { type Column, DataTable } from "#components/ui/data-table";
import type { Recipient } from "#lib/outreach/campaigns/schema";
import { useRecipientProblem } from "./source-part.ts";

interface RecipientTableProps {
  workspace: string;
  recipients: readonly Recipient[];
  isTest: boolean;
  erase: ((phone: string) => Promise<FormAnswer<null>>) | null;
}

export function RecipientTable({ workspace, recipients, isTest, erase }: RecipientTableProps) {
  const t = useTranslations("recipients.table");
  const people = recipients.map((one) => ({
    ...one,
    id: one.recipientId,
    name: one.phone ?? one.messageId,
  }));
  type Person = (typeof people)[number];
  const remove = erase && ((id: string) => erase(people.find((one) => one.id === id)?.phone ?? ""));
  const { shown, ask, question } = useRemoval<Person>(people, remove, {
    removed: (name) => t("erased", { name }),
    notRemoved: (name) => t("notErased", { name }),
  });
  const columns = useColumns(workspace, isTest);
  const actions: Column<Person> = {
    heading: t("actions"),
    silent: true,
    cellClass: "text-right",
    cell: (one) =>
      one.phone === null ? null : (
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("erase", { name: one.name })}
          onClick={() => ask(one)}
        >
          <UserX aria-hidden />
        </Button>
      ),
  };
  return (
    <>
      <DataTable
        caption={t("caption")}
        rows={shown}
        columns={erase ? [...columns, actions] : columns}
      />
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("eraseTitle", { name: question.thing.name })}
          action={t("eraseAction")}
        >
          {t("eraseText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

type Row = Recipient & { id: string };

function useColumns(workspace: string, isTest: boolean): Column<Row>[] {
  const t = useTranslations("recipients.table");
  const format = useFormatter();
  const say = useRecipientProblem();
  return [
    {
      heading: t("recipient"),
      cellClass: "py-2",
      cell: ({ phone, messageId, optedOut }) => (
        <div className="grid gap-0.5">
          <span className="flex items-center gap-1.5 font-medium tabular-nums">
            {phone ?? t("noPhone")}
            {optedOut ? <Badge tone="yellow">{t("optedOut")}</Badge> : null}
          </span>
          <span className="max-w-40 truncate text-ink-muted text-xs">{messageId}</span>
        </div>
      ),
    },
    {
      heading: t("message"),
      className: "hidden md:table-cell",
      headClass: "w-full",
      cellClass: "max-w-0",
      cell: (one) => <MessageCell recipient={one} isTest={isTest} />,
    },
    {
      heading: t("link"),
      cell: ({ linkId, shortLink, code }) =>
        shortLink && linkId ? (
          <PrefetchLink
            href={`/app/${workspace}/links/${linkId}`}
            className="underline-offset-2 hover:underline"
          >
            {withoutScheme(shortLink)}
          </PrefetchLink>
        ) : (
          <>
            {/* On a phone, there is no column with messages. */}
            {code === null ? null : (
              <span className="block min-w-32 whitespace-normal py-2 text-danger md:hidden">
                {say(code, null)}
              </span>
            )}
            <span className={classNames("text-ink-muted", code !== null && "hidden md:inline")}>
              {code === null ? t("linkDeleted") : t("refused")}
            </span>
          </>
        ),
    },
    {
      heading: t("clicks"),
      className: "text-right",
      cellClass: "tabular-nums",
      cell: ({ clicks, lastClickedAt }) => (
        <>
          {format.number(clicks)}
          {lastClickedAt ? (
            <span className="hidden text-ink-muted text-xs sm:block">
              {format.dateTime(new Date(lastClickedAt), { dateStyle: "medium" })}
            </span>
          ) : null}
        </>
      ),
    },
  ];
}

function MessageCell({ recipient, isTest }: { recipient: Recipient; isTest: boolean }) {
  const t = useTranslations("recipients.table");
  const say = useRecipientProblem();
  const { code, text, variant, parts, country } = recipient;
  if (code !== null) {
    return <span className="block whitespace-normal py-2 text-danger">{say(code, null)}</span>;
  }
  const facts = [
    country,
    variant === null || !isTest ? null : t("variant", { name: variant }),
    parts === null ? null : t("parts", { count: parts }),
  ];
  return (
    <div className="grid gap-0.5 py-2">
      {text === null ? null : (
        <span className="truncate" title={text}>
          {text}
        </span>
      )}
      <span className="truncate text-ink-muted text-xs">{facts.filter(Boolean).join(" · ")}</span>
    </div>
  );
}
