"use client";

import { Check } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { useBoard } from "./board-state.tsx";
import { useMoney } from "./money.ts";
import type { ConversionCounts, GoalCount } from "./read-answer.ts";

const rowsShown = 8;

interface GoalTableProps {
  rows: readonly GoalCount[];
  counts: ConversionCounts;
}

/** Leads and sales by the name of their event, each with its part of the clicks; a name filters by it. */
export function GoalTable({ rows, counts }: GoalTableProps) {
  const t = useTranslations("analytics.conversions");
  const tCard = useTranslations("analytics");
  const format = useFormatter();
  const money = useMoney(counts.currency);
  const [isWhole, setIsWhole] = useState(false);
  if (rows.length === 0) return null;
  const numberHead = "w-20 pr-4 text-right font-medium";
  const number = "h-8 pr-4 text-right tabular-nums";
  return (
    <div className="border-line border-t pb-2">
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">{t("goalsCaption")}</caption>
        <thead>
          <tr className="h-9 text-ink-faint text-xs">
            <th scope="col" className="pl-4 text-left font-medium">
              {t("goal")}
            </th>
            <th scope="col" className={numberHead}>
              {t("count")}
            </th>
            <th scope="col" className={numberHead}>
              {t("rate")}
            </th>
            <th scope="col" className="hidden w-32 pr-4 text-right font-medium sm:table-cell">
              {t("revenue")}
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? rows : rows.slice(0, rowsShown)).map((row) => (
            <tr key={row.name}>
              <th scope="row" className="h-8 pl-2 text-left font-normal">
                <GoalName name={row.name} />
              </th>
              <td className={`${number} font-medium`}>{format.number(row.leads + row.sales)}</td>
              <td className={`${number} text-ink-muted`}>
                {counts.clicks > 0
                  ? format.number((row.leads + row.sales) / counts.clicks, {
                      style: "percent",
                      maximumFractionDigits: 1,
                    })
                  : "–"}
              </td>
              <td className={`${number} hidden text-ink-muted sm:table-cell`}>
                {row.sales > 0 ? money(row.saleAmount) : "–"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > rowsShown && !isWhole ? (
        <Button variant="ghost" size="sm" className="ml-2" onClick={() => setIsWhole(true)}>
          {tCard("showAll", { count: rows.length })}
        </Button>
      ) : null}
    </div>
  );
}

function GoalName({ name }: { name: string }) {
  const t = useTranslations("analytics");
  const { toggle, isChosen } = useBoard();
  const chosen = isChosen("eventName", name);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={t("filterBy", { name })}
      title={name}
      onClick={() => toggle("eventName", name)}
      className="flex h-7 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover/60"
    >
      <span className="truncate">{name}</span>
      {chosen ? <Check aria-hidden className="size-3.5 shrink-0 text-accent" /> : null}
    </button>
  );
}
