"use client";

import { Check } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { useBoard } from "./board-state.tsx";
import { Card, LoadError } from "./card.tsx";
import { type FoldState, useEmpty } from "./empty-cards.tsx";
import { conversionsMore } from "./first-queries.ts";
import { useMoney } from "./money.ts";
import {
  type ConversionCounts,
  type GoalCount,
  readConversions,
  readGoals,
} from "./read-answer.ts";
import { SortHead } from "./sort-head.tsx";
import { useSorted } from "./sorting.ts";
import { useAnswer } from "./source.tsx";

const unverifiedMore = { event: "sales", verification: "unverified" };
const steps = ["clicks", "leads", "sales"] as const;

interface ConversionsCardProps {
  /** True for members, who also see unverified sales. */
  isOwn: boolean;
  fold: FoldState;
}

/** Workspaces that track no conversions see this card among those without data, so it takes no space before its stats arrive. */
export function ConversionsCard({ isOwn, fold }: ConversionsCardProps) {
  const t = useTranslations("analytics");
  const { queryFor } = useBoard();
  const answer = useAnswer(queryFor("count", conversionsMore), { live: true });
  const others = useAnswer(isOwn ? queryFor("count", unverifiedMore) : undefined);
  const goals = useAnswer(queryFor("event_names", conversionsMore), { live: true });
  const counts = readConversions(answer.data);
  const unverified = readConversions(others.data);
  const isEmpty = counts.leads + counts.sales + unverified.sales === 0;
  useEmpty(answer.state === "fresh" && isEmpty, fold.onEmpty);
  const isLoading = answer.data === undefined && answer.state !== "failed";
  if (fold.folded || isLoading) return null;
  return (
    <Card
      id="conversions"
      heading={t("cards.conversions")}
      body={
        answer.state === "failed" ? (
          <LoadError retry={answer.retry} className="h-40" />
        ) : isEmpty ? (
          <Nothing isOwn={isOwn} />
        ) : (
          <>
            <div className="grid gap-5 p-4 lg:grid-cols-[minmax(0,1fr)_14rem]">
              <Funnel counts={counts} />
              <Amounts counts={counts} unverified={unverified} />
            </div>
            <GoalTable rows={readGoals(goals.data)} counts={counts} />
          </>
        )
      }
    />
  );
}

function Nothing({ isOwn }: { isOwn: boolean }) {
  const t = useTranslations("analytics.conversions");
  return (
    <div className="grid justify-items-center gap-1 px-4 py-8 text-center text-sm">
      <p className="font-medium">{t("emptyTitle")}</p>
      {isOwn ? (
        <p className="max-w-md text-balance text-ink-muted">
          {t("emptyText")}{" "}
          <Link href="/docs/conversions" className="text-accent underline">
            {t("learn")}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

/** Bars are relative to the largest step, because leads may come from clicks of an earlier period. */
function Funnel({ counts }: { counts: ConversionCounts }) {
  const t = useTranslations("analytics.conversions");
  const format = useFormatter();
  const most = Math.max(1, ...steps.map((step) => counts[step]));
  const percentOf = (part: number, whole: number) =>
    format.number(part / whole, { style: "percent", maximumFractionDigits: 1 });
  const ratesOf = (step: (typeof steps)[number]): string[] => {
    const { clicks, leads } = counts;
    const count = counts[step];
    return [
      ...(step !== "clicks" && clicks > 0
        ? [t("ofClicks", { percent: percentOf(count, clicks) })]
        : []),
      // If there are more sales than leads, some come from earlier leads or have none. A percentage would mislead.
      ...(step === "sales" && leads >= count && leads > 0
        ? [t("ofLeads", { percent: percentOf(count, leads) })]
        : []),
    ];
  };
  return (
    <ol aria-label={t("funnel")} className="grid content-center gap-2">
      {steps.map((step) => (
        <li
          key={step}
          className="grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-3 text-sm sm:grid-cols-[6rem_minmax(0,1fr)_minmax(10rem,auto)]"
        >
          <span className="font-medium">{t(`steps.${step}`)}</span>
          <span aria-hidden className="h-7 overflow-hidden rounded-md bg-sunken">
            <span
              className="block h-full rounded-md bg-accent"
              style={{ width: `${(counts[step] / most) * 100}%` }}
            />
          </span>
          <span className="col-start-2 tabular-nums sm:col-start-3 sm:text-right">
            <strong className="font-semibold">{format.number(counts[step])}</strong>{" "}
            <span className="text-ink-muted">{ratesOf(step).join(" · ")}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

interface AmountsProps {
  counts: ConversionCounts;
  unverified: ConversionCounts;
}

function Amounts({ counts, unverified }: AmountsProps) {
  const t = useTranslations("analytics.conversions");
  const { currency, sales, saleAmount } = counts;
  const money = useMoney(currency);
  return (
    <div className="grid content-center gap-3 lg:border-line lg:border-l lg:pl-5">
      <dl className="grid gap-3">
        <div>
          <dt className="text-ink-muted text-sm">{t("revenue")}</dt>
          <dd className="font-semibold text-2xl tabular-nums tracking-tight">
            {money(saleAmount)}
          </dd>
        </div>
        {sales > 0 ? (
          <div>
            <dt className="text-ink-muted text-sm">{t("average")}</dt>
            <dd className="font-medium tabular-nums">{money(Math.round(saleAmount / sales))}</dd>
          </div>
        ) : null}
      </dl>
      {unverified.sales > 0 ? (
        <p className="text-ink-muted text-xs">
          {t("unverified", { count: unverified.sales, amount: money(unverified.saleAmount) })}
        </p>
      ) : null}
    </div>
  );
}

const rowsShown = 8;

const goalColumns = {
  name: ({ name }: GoalCount) => name,
  count: ({ leads, sales }: GoalCount) => leads + sales,
  revenue: ({ saleAmount }: GoalCount) => saleAmount,
};

function GoalTable({ rows, counts }: { rows: readonly GoalCount[]; counts: ConversionCounts }) {
  const t = useTranslations("analytics.conversions");
  const tCard = useTranslations("analytics");
  const format = useFormatter();
  const money = useMoney(counts.currency);
  const [isWhole, setIsWhole] = useState(false);
  const { sorted, ...sorter } = useSorted(rows, goalColumns, { by: "count", descending: true });
  if (rows.length === 0) return null;
  const numberHead = "w-20 pr-4 text-right font-medium";
  const number = "h-8 pr-4 text-right tabular-nums";
  return (
    <div className="border-line border-t pb-2">
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">{t("goalsCaption")}</caption>
        <thead>
          <tr className="h-9 text-ink-faint text-xs">
            <SortHead column="name" isText sorter={sorter} className="pl-4 text-left font-medium">
              {t("goal")}
            </SortHead>
            <SortHead column="count" sorter={sorter} className={numberHead}>
              {t("count")}
            </SortHead>
            {/* In the order of the counts. */}
            <th scope="col" className="w-28 pr-4 text-right font-medium">
              {t("rate")}
            </th>
            <SortHead
              column="revenue"
              sorter={sorter}
              className="hidden w-32 pr-4 text-right font-medium sm:table-cell"
            >
              {t("revenue")}
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? sorted : sorted.slice(0, rowsShown)).map((row) => (
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
