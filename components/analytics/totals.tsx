"use client";

import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Skeleton } from "#components/ui/skeleton";
import { Explained } from "#components/ui/tooltip";
import { useBoard } from "./board-state.tsx";
import { changeOf } from "./buckets.ts";
import { LoadError } from "./card.tsx";
import { totalsMore } from "./first-queries.ts";
import { type ClickCounts, readRows, readTotal } from "./read-answer.ts";
import { useAnswer } from "./source.tsx";

interface TotalProps {
  name: "clicks" | "visitors" | "scans" | "bots";
  value: number | undefined;
  before: number | undefined;
}

export function Totals() {
  const t = useTranslations("analytics");
  const { queryFor } = useBoard();
  const total = useAnswer(queryFor("count", totalsMore), { live: true });
  const triggers = useAnswer(queryFor("triggers"), { live: true });
  const { before, ...counts } = readTotal(total.data);
  const scans = readRows(triggers.data, "trigger").find(({ value }) => value === "qr")?.clicks ?? 0;
  const of = (name: keyof ClickCounts): TotalProps => ({
    name,
    value: total.data === undefined ? undefined : counts[name],
    before: before?.[name],
  });
  const totals: TotalProps[] = [
    of("clicks"),
    of("visitors"),
    { name: "scans", value: triggers.data === undefined ? undefined : scans, before: undefined },
    of("bots"),
  ];
  const stale = total.state === "stale";
  return (
    <section aria-labelledby="figures-heading" aria-busy={stale || total.state === "loading"}>
      <h2 id="figures-heading" className="sr-only">
        {t("figures")}
      </h2>
      {total.state === "failed" ? (
        <div className="rounded-xl border border-line bg-surface">
          <LoadError retry={total.retry} className="h-26" />
        </div>
      ) : (
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line lg:grid-cols-4">
          {totals.map((figure) => (
            <TotalBox key={figure.name} {...figure} />
          ))}
        </dl>
      )}
    </section>
  );
}

function TotalBox({ name, value, before }: TotalProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  return (
    <div className="grid content-start gap-1 bg-surface px-4 py-3">
      <dt className="text-ink-muted text-sm">
        {name === "visitors" ? (
          <Explained text={t("visitorsExplained")}>{t(name)}</Explained>
        ) : (
          t(name)
        )}
      </dt>
      <dd className="flex flex-wrap items-baseline gap-x-2 font-semibold text-2xl tabular-nums tracking-tight">
        {value === undefined ? (
          <Skeleton className="my-1 h-6 w-16" />
        ) : (
          <>
            {format.number(value)}
            <Change now={value} before={before} />
          </>
        )}
      </dd>
      <dd className="text-ink-faint text-xs">{t(`${name}Hint`)}</dd>
    </div>
  );
}

function Change({ now, before }: { now: number; before: number | undefined }) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const { query } = useBoard();
  const year = query.compare === "year";
  const change = changeOf(now, before);
  if (change === undefined || before === undefined) return null;
  const Arrow = change < 0 ? ArrowDownRight : ArrowUpRight;
  const percent = format.number(Math.abs(change), { style: "percent", maximumFractionDigits: 0 });
  return (
    <span className="flex items-center gap-0.5 self-center font-medium text-ink-muted text-xs tracking-normal">
      <Arrow aria-hidden className="size-3.5" />
      <span aria-hidden>{percent}</span>
      <span className="sr-only">
        {t(change < 0 ? (year ? "lessYear" : "less") : year ? "moreYear" : "more", {
          percent,
          before: format.number(before),
        })}
      </span>
    </span>
  );
}
