"use client";

import { Check } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import { useBoard } from "./board-state.tsx";
import type { BoardGrouping } from "./groupings.ts";
import type { ValueCount } from "./read-answer.ts";
import { ValueIcon } from "./value-icon.tsx";
import { useValueNames } from "./value-names.ts";

interface ValueTableProps {
  grouping: BoardGrouping;
  rows: readonly ValueCount[];
  /** All rows: the longest bar is the largest of them. */
  of: readonly ValueCount[];
  onChosen?: () => void;
}

/** Values with their clicks as numbers and bars; each is a button that filters by it. */
export function ValueTable({ grouping, rows, of, onChosen }: ValueTableProps) {
  const t = useTranslations("analytics");
  const { query } = useBoard();
  const most = Math.max(1, ...of.map(({ clicks, bots }) => clicks + (query.bots ? bots : 0)));
  const numberHead = "w-18 pr-4 text-right font-medium";
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="sr-only">{t("tableOf", { name: t(`tabs.${grouping.tab}`) })}</caption>
      <thead>
        <tr className="h-9 text-ink-faint text-xs">
          <th scope="col" className="pl-4 text-left font-medium">
            {t(`tabs.${grouping.tab}`)}
          </th>
          <th scope="col" className={classNames(numberHead, "hidden sm:table-cell")}>
            {t("visitors")}
          </th>
          {query.bots ? (
            <th scope="col" className={numberHead}>
              {t("bots")}
            </th>
          ) : null}
          <th scope="col" className={numberHead}>
            {t("clicks")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ValueRow
            // Cities may share a name.
            key={`${row.value} ${row.country} ${row.also.join()}`}
            grouping={grouping}
            row={row}
            share={(row.clicks + (query.bots ? row.bots : 0)) / most}
            onChosen={onChosen}
          />
        ))}
      </tbody>
    </table>
  );
}

interface ValueRowProps {
  grouping: BoardGrouping;
  row: ValueCount;
  share: number;
  onChosen: (() => void) | undefined;
}

function ValueRow({ grouping, row, share, onChosen }: ValueRowProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const nameOf = useValueNames();
  const { query, fixed, toggle, isChosen } = useBoard();
  const { filter } = grouping;
  const name = nameOf(filter, row.value, row.name);
  const chosen = isChosen(filter, row.value);
  const text = (
    <>
      <ValueIcon
        filter={filter}
        value={row.value}
        {...(row.country ? { country: row.country } : {})}
      />
      {/* The name of a link is never cut off in favor of its title. */}
      <span className={row.title ? "max-w-full shrink-0 truncate" : "truncate"}>{name}</span>
      {row.title ? <span className="min-w-0 truncate text-ink-muted">{row.title}</span> : null}
      {chosen ? <Check aria-hidden className="size-3.5 shrink-0 text-accent" /> : null}
    </>
  );
  const number = "h-8 pr-4 text-right tabular-nums";
  return (
    <tr className="group">
      <th scope="row" className="relative h-8 pl-2 text-left font-normal">
        <span
          aria-hidden
          className="absolute inset-y-0.5 left-2 rounded-md bg-accent-soft"
          style={{ width: `calc(${Math.max(share * 100, 0.5)}% - 8px)` }}
        />
        {row.value === "" || fixed.includes(filter) ? (
          <span className="relative flex h-7 items-center gap-2 px-2">{text}</span>
        ) : (
          <button
            type="button"
            aria-pressed={chosen}
            title={row.title ? `${name} · ${row.title}` : name}
            aria-label={t("filterBy", { name })}
            onClick={() => {
              toggle(filter, row.value, row.also);
              onChosen?.();
            }}
            className="relative flex h-7 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover/60"
          >
            {text}
          </button>
        )}
      </th>
      <td className={classNames(number, "hidden text-ink-muted sm:table-cell")}>
        {format.number(row.visitors)}
      </td>
      {query.bots ? (
        <td className={classNames(number, "text-ink-muted")}>{format.number(row.bots)}</td>
      ) : null}
      <td className={classNames(number, "font-medium")}>{format.number(row.clicks)}</td>
    </tr>
  );
}
