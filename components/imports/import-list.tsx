"use client";

import { FileSpreadsheet } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ImportSummary } from "#lib/transfer/imports/schema";
import { useFreshWhile } from "../shell/fresh.ts";
import { Badge } from "../ui/badge.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";

interface ImportListProps {
  imports: readonly ImportSummary[];
  /** Under which they are. */
  path: string;
}

const tones = {
  ready: "blue",
  waiting: "gray",
  running: "blue",
  done: "green",
  failed: "red",
  cancelled: "yellow",
} as const;

export function ImportList({ imports, path }: ImportListProps) {
  const t = useTranslations("imports");
  const format = useFormatter();
  useFreshWhile(imports.some(({ state }) => state === "waiting" || state === "running"));
  if (imports.length === 0) {
    return (
      <EmptyState icon={<FileSpreadsheet aria-hidden />} title={t("emptyTitle")}>
        {t("emptyText")}
      </EmptyState>
    );
  }
  return (
    <Table caption={t("heading")}>
      <thead>
        <tr>
          <TableHead>{t("file")}</TableHead>
          <TableHead>{t("state")}</TableHead>
          <TableHead className="text-right">{t("made")}</TableHead>
          <TableHead className="hidden text-right sm:table-cell">{t("refused")}</TableHead>
          <TableHead className="hidden sm:table-cell">{t("uploaded")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {imports.map((one) => (
          <TableRow key={one.id}>
            <TableCell className="max-w-32 truncate font-medium sm:max-w-56">
              <Link href={`${path}/${one.id}`} className="underline-offset-2 hover:underline">
                {one.name}
              </Link>
            </TableCell>
            <TableCell>
              <Badge tone={tones[one.state]}>{t(`states.${one.state}`)}</Badge>
            </TableCell>
            <TableCell className="text-right tabular-nums">{format.number(one.made)}</TableCell>
            <TableCell className="hidden text-right tabular-nums sm:table-cell">
              {format.number(one.refused)}
            </TableCell>
            <TableCell className="hidden text-ink-muted sm:table-cell">
              {format.dateTime(new Date(one.createdAt), {
                dateStyle: "medium",
                timeStyle: "short",
              })}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
