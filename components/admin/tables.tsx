import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";

export interface Fact {
  label: string;
  value: ReactNode;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
      {facts.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-ink-muted text-xs">{label}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A link to a page of the back office. Never prefetched: opening a page is recorded. */
export function OfficeLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="rounded-sm underline decoration-line-strong underline-offset-4 hover:decoration-current"
    >
      {children}
    </Link>
  );
}

interface RowsProps {
  caption: string;
  columns: readonly string[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
  empty: string;
}

export function Rows({ caption, columns, rows, empty }: RowsProps) {
  const t = useTranslations("admin");
  if (rows.length === 0) return <p className="text-ink-muted text-sm">{empty}</p>;
  return (
    // The card around the table already has the plain name.
    <Table caption={t("tableOf", { name: caption })}>
      <thead>
        <tr>
          {columns.map((column) => (
            <TableHead key={column}>{column}</TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <TableRow key={id}>
            {cells.map((cell, at) => (
              <TableCell key={columns[at]} className="max-w-72 truncate">
                {cell}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

export function RowsCard({ note, ...rows }: RowsProps & { note?: string }) {
  return (
    <Card heading={rows.caption} note={note}>
      <Rows {...rows} />
    </Card>
  );
}

/** Formats dates with their time, and shows a dash for none. */
export function useMoment(): (at: Date | string | null) => string {
  const format = useFormatter();
  return (at) =>
    at === null ? "–" : format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
}
