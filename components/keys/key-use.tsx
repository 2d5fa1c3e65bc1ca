"use client";

import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { DataTable } from "#components/ui/data-table";
import { Skeleton } from "#components/ui/skeleton";
import type { KeyUse } from "#lib/tenancy/key-use/schema";

// The chart is the heaviest part of the page, so the numbers do not wait for it.
const KeyUseChart = dynamic(() => import("./key-use-chart.tsx").then((one) => one.KeyUseChart), {
  ssr: false,
  loading: () => <Skeleton className="h-52" />,
});

export function KeyUseView({ use, zone }: { use: KeyUse; zone: string }) {
  const t = useTranslations("apiKeys");
  const format = useFormatter();
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  const figures = [
    [t("calls"), format.number(use.calls)],
    [t("links"), format.number(use.links)],
    [t("refusals"), format.number(use.refusals)],
    [t("lastCall"), use.lastCallAt ? moment(use.lastCallAt) : t("never")],
    [t("lastAddress"), use.lastAddress ?? "–"],
  ];
  return (
    <Card heading={t("use")} note={t("useNote", { days: use.days.length })}>
      <dl className="grid grid-cols-2 gap-4 text-sm sm:grid-cols-5">
        {figures.map(([name, value]) => (
          <div key={name} className="grid min-w-0 content-start gap-0.5">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="break-words font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {use.lastCallAt ? <KeyUseChart days={use.days} /> : null}
      <DayTable use={use} />
      {use.apps.length > 0 ? (
        <DataTable
          caption={t("apps")}
          rows={use.apps.map((app) => ({ ...app, id: `${app.name}/${app.version}` }))}
          columns={[
            {
              heading: t("app"),
              cellClass: "max-w-48 truncate font-medium",
              cell: ({ name, version }) => (version ? `${name} ${version}` : name),
            },
            { heading: t("calls"), cell: ({ calls }) => format.number(calls) },
            {
              heading: t("lastCall"),
              cellClass: "text-ink-muted",
              cell: ({ lastCallAt }) => moment(lastCallAt),
            },
          ]}
        />
      ) : null}
    </Card>
  );
}

function DayTable({ use }: { use: KeyUse }) {
  const t = useTranslations("apiKeys");
  const format = useFormatter();
  const rows = use.days.filter(({ calls, links }) => calls + links > 0).reverse();
  if (rows.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-ink-muted">{t("table")}</summary>
      <div className="mt-2 max-h-72 overflow-y-auto">
        <DataTable
          caption={t("use")}
          rows={rows.map((row) => ({ ...row, id: row.day }))}
          columns={[
            {
              heading: t("day"),
              cell: ({ day }) =>
                format.dateTime(new Date(day), { dateStyle: "medium", timeZone: "UTC" }),
            },
            { heading: t("calls"), cell: ({ calls }) => format.number(calls) },
            { heading: t("links"), cell: ({ links }) => format.number(links) },
            { heading: t("refusals"), cell: ({ refusals }) => format.number(refusals) },
          ]}
        />
      </div>
    </details>
  );
}
