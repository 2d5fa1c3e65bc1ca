"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { type Importer, systemLabels } from "#lib/transfer/importers/schema";

const tones = {
  waiting: "gray",
  running: "blue",
  ready: "green",
  failed: "red",
  cancelled: "yellow",
} as const;

interface ImporterListProps {
  importers: readonly Importer[];
  path: string;
}

/** Imports from other systems whose links are still being read. */
export function ImporterList({ importers, path }: ImporterListProps) {
  const t = useTranslations("importers");
  const format = useFormatter();
  useRefreshWhile(importers.some(({ state }) => state === "waiting" || state === "running"));
  return (
    <Card heading={t("list")}>
      <ul className="grid gap-2 text-sm">
        {importers.map(({ id, system, state, found, total, resumesAt, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link href={`${path}/${id}`} className="font-medium underline-offset-2 hover:underline">
              {systemLabels[system]}
            </Link>
            <Badge tone={tones[state]}>{t(`states.${resumesAt ? "paused" : state}`)}</Badge>
            <span className="text-ink-muted">{t("reading", { found, total: total ?? -1 })}</span>
            <span className="text-ink-muted">
              {t("started", {
                date: format.dateTime(new Date(createdAt), {
                  dateStyle: "medium",
                  timeStyle: "short",
                }),
              })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
