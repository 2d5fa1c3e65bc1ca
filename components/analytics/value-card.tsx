"use client";

import { Check, Download, Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import { Skeleton } from "#components/ui/skeleton";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";
import { searchCharsMax } from "#lib/analytics/reports/schema";
import { pageRows } from "./board-query.ts";
import { listedRows, useBoard } from "./board-state.tsx";
import { Card, LoadError, LoadingRows, NoData } from "./card.tsx";
import { type FoldState, useEmpty } from "./empty-cards.tsx";
import { type BoardGrouping, type CardName, openTabOf, tabsOf } from "./groupings.ts";
import { readRows, type ValueCount } from "./read-answer.ts";
import { SortHead } from "./sort-head.tsx";
import { useSorted } from "./sorting.ts";
import { exportUrl, type QueryAnswer, useAnswer, useSource } from "./source.tsx";
import { ValueIcon } from "./value-icon.tsx";
import { useValueNames } from "./value-names.ts";

// The shapes of all countries are loaded only where they are visible.
const WorldMap = dynamic(() => import("./world-map.tsx").then((one) => one.WorldMap), {
  ssr: false,
  loading: () => <Skeleton className="mx-4 h-[272px]" />,
});

const shownRows = 8;
const bodyHeight = "h-[340px]";

interface ValueCardProps {
  card: CardName;
  without?: readonly string[];
  fold: FoldState;
}

/** The values of a dimension with their clicks; a tab per dimension, and a click on a row filters the page. */
export function ValueCard({ card, without = [], fold }: ValueCardProps) {
  const t = useTranslations("analytics");
  const { queryFor, tabOf, openTab } = useBoard();
  const tabs = tabsOf(card, without);
  const grouping = openTabOf(tabs, tabOf(card));
  const answer = useAnswer(grouping && queryFor(grouping.groupBy));
  const rows = grouping ? readRows(answer.data, grouping.field) : [];
  // A card does not fold after someone opened one of its tabs, so that they can open the next one.
  const isEmpty = answer.state === "fresh" && tabOf(card) === undefined && rows.every(isUnplaced);
  useEmpty(isEmpty, fold.onEmpty);
  if (!grouping || fold.folded) return null;
  const body = <Body answer={answer} rows={rows} grouping={grouping} />;
  const panel = {
    "aria-busy": answer.state !== "fresh",
    className: classNames(
      "flex flex-col transition-opacity",
      bodyHeight,
      answer.state === "stale" && "opacity-60",
    ),
  };
  if (tabs.length === 1) {
    return (
      <Card id={card} heading={t(`tabs.${grouping.tab}`)} body={<div {...panel}>{body}</div>} />
    );
  }
  return (
    <Tabs value={grouping.tab} onValueChange={(tab) => openTab(card, tab)} className="min-w-0">
      <Card
        id={card}
        heading={t(`cards.${card}`)}
        body={
          <TabsContent value={grouping.tab} tabIndex={-1} {...panel}>
            {body}
          </TabsContent>
        }
      >
        <TabChoice
          card={card}
          tabs={tabs}
          current={grouping}
          onOpen={(tab) => openTab(card, tab)}
        />
      </Card>
    </Tabs>
  );
}

/** Clicks without a known country are not on the map. */
function isUnplaced({ country }: ValueCount): boolean {
  return country !== "" && !/^[A-Z]{2}$/.test(country);
}

const visibleTabs = 3;

interface BodyProps {
  answer: QueryAnswer;
  rows: readonly ValueCount[];
  grouping: BoardGrouping;
}

function Body({ answer, rows, grouping }: BodyProps) {
  // Rows of another grouping lack the fields that this one reads.
  if (answer.state === "loading" || (answer.state === "stale" && isOther(rows))) {
    return <LoadingRows />;
  }
  if (answer.state === "failed") return <LoadError retry={answer.retry} className="flex-1" />;
  if (rows.length === 0 && grouping.tab !== "map") return <NoData className="flex-1" />;
  return <Values grouping={grouping} rows={rows} />;
}

function isOther(rows: readonly ValueCount[]): boolean {
  return rows.length > 0 && rows.every(({ value }) => value === "");
}

interface TabChoiceProps {
  card: CardName;
  tabs: readonly BoardGrouping[];
  current: BoardGrouping;
  onOpen: (tab: string) => void;
}

function TabChoice({ card, tabs, current, onOpen }: TabChoiceProps) {
  const t = useTranslations("analytics");
  const inSight = tabs.slice(0, visibleTabs);
  const others = tabs.slice(visibleTabs);
  const isOther = others.includes(current);
  return (
    <div className="flex min-w-0 max-w-full flex-wrap items-center gap-1.5">
      <TabsList aria-label={t(`cards.${card}`)}>
        {[...inSight, ...(isOther ? [current] : [])].map(({ tab }) => (
          <TabsTrigger key={tab} value={tab} className="px-2">
            {t(`tabs.${tab}`)}
          </TabsTrigger>
        ))}
      </TabsList>
      {others.length > 0 ? (
        <Select
          aria-label={t("moreOf", { card: t(`cards.${card}`) })}
          value=""
          onValueChange={onOpen}
          className="h-8 w-8 justify-center border-transparent px-0 pointer-coarse:h-10 pointer-coarse:w-10"
          options={others.map(({ tab }) => ({ value: tab, label: t(`tabs.${tab}`) }))}
        />
      ) : null}
    </div>
  );
}

function Values({ grouping, rows }: { grouping: BoardGrouping; rows: readonly ValueCount[] }) {
  const t = useTranslations("analytics");
  const { queryFor } = useBoard();
  const source = useSource();
  const [all, setAll] = useState(false);
  const heading = t(`tabs.${grouping.tab}`);
  // The map always offers a list with the names of its countries.
  const hasMore = rows.length > (grouping.tab === "map" ? 0 : shownRows);
  return (
    <>
      <div className="min-h-0 flex-1 overflow-hidden">
        {grouping.tab === "map" ? (
          <WorldMap rows={rows} />
        ) : (
          <ValueTable grouping={grouping} rows={rows} of={rows} max={shownRows} />
        )}
      </div>
      <div className="flex h-10 shrink-0 items-center gap-1 border-line border-t px-2.5 pointer-coarse:h-12">
        {hasMore ? (
          <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
            <Search aria-hidden className="!size-3.5" />
            {rows.length < pageRows
              ? t("showAll", { count: rows.length })
              : t("showMost", { count: listedRows })}
          </Button>
        ) : null}
        {rows.length === 0 || source.withoutFiles ? null : (
          <Button variant="ghost" size="icon" className="ml-auto" asChild>
            <a
              download
              href={exportUrl(source, queryFor(grouping.groupBy))}
              aria-label={t("saveCard", { card: heading })}
            >
              <Download aria-hidden className="!size-3.5" />
            </a>
          </Button>
        )}
      </div>
      <Dialog open={all} onOpenChange={setAll}>
        <DialogContent title={heading} className="sm:max-w-xl">
          <AllValues grouping={grouping} shown={rows} onChosen={() => setAll(false)} />
        </DialogContent>
      </Dialog>
    </>
  );
}

const typingMs = 300;

/** Finds rows beyond the loaded ones. Undefined if there is nothing to search for, or no answer yet. */
function useSearch(grouping: BoardGrouping, text: string): readonly ValueCount[] | undefined {
  const { queryFor } = useBoard();
  const { workspace } = useSource();
  const [typed, setTyped] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  // A share cannot search links, because it does not show their titles.
  const isOpen = typed !== "" && !(workspace === undefined && grouping.groupBy === "top_links");
  const more = { limit: String(listedRows), search: typed };
  const answer = useAnswer(isOpen ? queryFor(grouping.groupBy, more) : undefined);
  if (!isOpen || text === "" || answer.state !== "fresh") return undefined;
  return readRows(answer.data, grouping.field);
}

interface AllValuesProps {
  grouping: BoardGrouping;
  shown: readonly ValueCount[];
  onChosen: () => void;
}

function AllValues({ grouping, shown, onChosen }: AllValuesProps) {
  const t = useTranslations("analytics");
  const { queryFor } = useBoard();
  const isAll = shown.length < pageRows;
  const most = queryFor(grouping.groupBy, { limit: String(listedRows) });
  const answer = useAnswer(isAll ? undefined : most);
  const loaded = answer.state === "fresh" ? readRows(answer.data, grouping.field) : shown;
  const nameOf = useValueNames();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const searched = useSearch(grouping, loaded.length < listedRows ? "" : text.trim());
  const rows = searched ?? loaded;
  const found = rows.filter((row) =>
    `${nameOf(grouping.filter, row.value, row.name)} ${row.value} ${row.title}`
      .toLowerCase()
      .includes(wanted),
  );
  return (
    <div className="grid gap-3">
      <Input
        type="search"
        autoFocus
        maxLength={searchCharsMax}
        aria-label={t("search")}
        placeholder={t("search")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {found.length > 0 ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
          tabIndex={0}
          aria-label={t(`tabs.${grouping.tab}`)}
          className="-mx-5 h-[50dvh] overflow-y-auto"
        >
          <ValueTable grouping={grouping} rows={found} of={rows} onChosen={onChosen} />
        </section>
      ) : (
        <NoData className="h-[50dvh]" />
      )}
    </div>
  );
}

interface ValueTableProps {
  grouping: BoardGrouping;
  rows: readonly ValueCount[];
  of: readonly ValueCount[];
  max?: number;
  onChosen?: () => void;
}

function ValueTable({ grouping, rows, of, max, onChosen }: ValueTableProps) {
  const t = useTranslations("analytics");
  const { query } = useBoard();
  const most = Math.max(1, ...of.map(({ clicks, bots }) => clicks + (query.bots ? bots : 0)));
  const nameOf = useValueNames();
  const columns = {
    name: (row: ValueCount) => nameOf(grouping.filter, row.value, row.name),
    visitors: (row: ValueCount) => row.visitors,
    bots: (row: ValueCount) => row.bots,
    clicks: (row: ValueCount) => row.clicks,
  };
  const { sorted, ...sorter } = useSorted(rows, columns, { by: "clicks", descending: true });
  const numberHead = "w-20 pr-4 text-right font-medium";
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="sr-only">{t("tableOf", { name: t(`tabs.${grouping.tab}`) })}</caption>
      <thead>
        <tr className="h-9 text-ink-faint text-xs">
          <SortHead column="name" isText sorter={sorter} className="pl-4 text-left font-medium">
            {t(`tabs.${grouping.tab}`)}
          </SortHead>
          <SortHead
            column="visitors"
            sorter={sorter}
            className={classNames(numberHead, "hidden sm:table-cell")}
          >
            {t("visitors")}
          </SortHead>
          {query.bots ? (
            <SortHead column="bots" sorter={sorter} className={numberHead}>
              {t("bots")}
            </SortHead>
          ) : null}
          <SortHead column="clicks" sorter={sorter} className={numberHead}>
            {t("clicks")}
          </SortHead>
        </tr>
      </thead>
      <tbody>
        {sorted.slice(0, max).map((row) => (
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
