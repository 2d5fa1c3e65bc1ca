"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { SourcePreview } from "#lib/outreach/sources/schema";
import { useRecipientProblem } from "./recipient-problems.ts";

const rowsShown = 5;
const problemsShown = 10;

interface SourceRowsProps {
  preview: SourcePreview;
  /** The settings changed since. */
  stale: boolean;
  /** Of the whole source. */
  rows: number;
}

type PreviewRow = SourcePreview["rows"][number];

/** The first rows as messages, and the problems of others. */
export function SourceRows({ preview, stale, rows }: SourceRowsProps) {
  const t = useTranslations("recipients");
  const bad = preview.rows.filter(({ code }) => code !== null);
  const good = preview.rows.filter(({ code }) => code === null);
  if (preview.obstacle !== null) return null;
  if (rows === 0) return <p className="text-ink-muted text-sm">{t("nobody")}</p>;
  return (
    <div
      aria-busy={stale}
      className={classNames("grid min-w-0 gap-4 transition-opacity", stale && "opacity-60")}
    >
      {bad.length > 0 ? <Problems rows={bad} /> : null}
      {bad.length === 0 && good.length > 0 ? (
        <p className="text-ink-muted text-sm">
          {t(preview.rows.length < rows ? "noProblemsFirst" : "noProblems", {
            count: preview.rows.length,
          })}
        </p>
      ) : null}
      {good.length > 0 ? <FirstMessages rows={good} /> : null}
    </div>
  );
}

function Problems({ rows }: { rows: readonly PreviewRow[] }) {
  const t = useTranslations("recipients");
  const say = useRecipientProblem();
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, problemsShown);
  const heading = t("rowProblems", { count: rows.length });
  return (
    <section aria-label={heading} className="grid gap-2">
      <h3 className="font-medium text-sm">{heading}</h3>
      <p className="text-ink-muted text-sm">{t("rowProblemsNote")}</p>
      <ul className="grid gap-1 text-sm">
        {shown.map(({ line, phone, code, column }) => (
          <li key={line} className="flex flex-wrap gap-x-2">
            <span className="shrink-0 font-medium tabular-nums">{t("line", { line })}</span>
            {phone ? <span className="text-ink-muted tabular-nums">{phone}</span> : null}
            <span className="min-w-0 break-words text-danger">{say(code ?? "", column)}</span>
          </li>
        ))}
      </ul>
      {shown.length < rows.length ? (
        <Button className="justify-self-start" onClick={() => setAll(true)}>
          {t("moreProblems", { count: rows.length - shown.length })}
        </Button>
      ) : null}
    </section>
  );
}

function FirstMessages({ rows }: { rows: readonly PreviewRow[] }) {
  const t = useTranslations("recipients");
  return (
    <Table caption={t("firstMessages")}>
      <thead>
        <tr>
          <TableHead className="hidden sm:table-cell">{t("lineHead")}</TableHead>
          <TableHead>{t("phone")}</TableHead>
          <TableHead className="w-full">{t("message")}</TableHead>
          <TableHead className="text-right">{t("parts")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, rowsShown).map(({ line, phone, text, parts }) => (
          <TableRow key={line}>
            <TableCell className="hidden text-ink-muted tabular-nums sm:table-cell">
              {line}
            </TableCell>
            <TableCell className="tabular-nums">{phone}</TableCell>
            <TableCell className="min-w-40 whitespace-normal break-words py-2">
              {text ?? <span className="text-ink-muted">{t("hiddenText")}</span>}
            </TableCell>
            <TableCell className="text-right tabular-nums">{parts}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
