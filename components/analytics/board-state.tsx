"use client";

/** The query of the page, stored in the URL, so that reload and back keep it. */
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useMemo } from "react";
import {
  type BoardQuery,
  type FilterName,
  groupingQuery,
  parseBoardQuery,
  toggleValue,
  withinDays,
  writeBoardQuery,
} from "./board-query.ts";
import { useSource } from "./source.tsx";

export const listedRows = 1_000;

export interface BoardState {
  query: BoardQuery;
  zone: string;
  daysMax: number | null;
  fixed: readonly FilterName[];
  isChosen: (name: FilterName, value: string) => boolean;
  change: (part: Partial<BoardQuery>) => void;
  toggle: (
    name: FilterName,
    value: string,
    also?: readonly (readonly [FilterName, string])[],
  ) => void;
  queryFor: (groupBy: string, more?: Record<string, string>) => string;
  /** The query that lists the values of a filter, without that filter. */
  valuesQuery: (name: FilterName, groupBy: string, more?: Record<string, string>) => string;
  tabOf: (card: string) => string | undefined;
  openTab: (card: string, tab: string) => void;
}

const Context = createContext<BoardState | undefined>(undefined);

export function useBoard(): BoardState {
  const state = use(Context);
  if (!state) throw new Error("useBoard is for parts of a board");
  return state;
}

interface BoardStateProps {
  about: Readonly<Partial<Record<FilterName, string>>>;
  daysMax: number | null;
  children: ReactNode;
}

export function BoardStateProvider({ about, daysMax, children }: BoardStateProps) {
  const path = usePathname();
  const params = useSearchParams();
  const { zone: ownZone } = useSource();
  const text = params.toString();
  const value = useMemo(
    () => makeState(path, text, ownZone, about, daysMax),
    [path, text, ownZone, about, daysMax],
  );
  return <Context value={value}>{children}</Context>;
}

function makeState(
  path: string,
  text: string,
  ownZone: string,
  about: BoardStateProps["about"],
  daysMax: number | null,
): BoardState {
  const params = new URLSearchParams(text);
  const boardQuery = withinDays(parseBoardQuery(params), daysMax);
  const zone = boardQuery.zone ?? ownZone;
  // Avoids a round trip to the server, because the cards load their own data.
  const go = (next: URLSearchParams, method: "pushState" | "replaceState") =>
    window.history[method](null, "", next.size > 0 ? `${path}?${next}` : path);
  const change = (part: Partial<BoardQuery>) =>
    go(writeBoardQuery(params, { ...boardQuery, ...part }), "pushState");
  return {
    query: boardQuery,
    zone,
    daysMax,
    fixed: asFilterNames(Object.keys(about)),
    isChosen: (name, one) =>
      boardQuery.filters.some(
        (filter) => filter.name === name && !filter.excluded && filter.values.includes(one),
      ),
    change,
    toggle: (name, one, also = []) => {
      const adds = !boardQuery.filters.some(
        (filter) => filter.name === name && filter.values.includes(one),
      );
      const filters = toggleValue(boardQuery.filters, name, one);
      change({ filters: adds ? also.reduce(addMissing, filters) : filters });
    },
    queryFor: (groupBy, more = {}) => groupingQuery(boardQuery, { about, zone }, groupBy, more),
    valuesQuery: (name, groupBy, more = {}) => {
      const filters = boardQuery.filters.filter((filter) => filter.name !== name);
      return groupingQuery({ ...boardQuery, filters }, { about, zone }, groupBy, more);
    },
    tabOf: (card) => params.get(card) ?? undefined,
    openTab: (card, tab) => {
      const next = new URLSearchParams(params);
      next.set(card, tab);
      go(next, "replaceState");
    },
  };
}

function addMissing(
  filters: BoardQuery["filters"],
  [name, value]: readonly [FilterName, string],
): BoardQuery["filters"] {
  return filters.some((filter) => filter.name === name)
    ? filters
    : toggleValue(filters, name, value);
}

/** Sound because the keys of `about` are filter names. */
function asFilterNames(names: readonly string[]): FilterName[] {
  return names as FilterName[];
}
