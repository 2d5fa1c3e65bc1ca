"use client";

/** The question of a page: held by the address bar, so that reload and back keep it. */
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useMemo } from "react";
import {
  type Asked,
  type FilterName,
  questionOf,
  readAsked,
  toggleValue,
  withinDays,
  writeAsked,
} from "./asked.ts";
import { useSource } from "./source.tsx";

/** So many rows of a kind a page asks for, which is as many as there are countries … */
export const pageRows = 250;
/** … and so many when somebody wants to see all of them. */
export const listedRows = 1_000;

export interface BoardState {
  asked: Asked;
  daysMax: number | null;
  /** Filters that the page itself is about; not to be changed. */
  fixed: readonly FilterName[];
  /** Which of its values a filter has now. */
  isChosen: (name: FilterName, value: string) => boolean;
  change: (part: Partial<Asked>) => void;
  toggle: (
    name: FilterName,
    value: string,
    also?: readonly (readonly [FilterName, string])[],
  ) => void;
  /** The query of a grouping. */
  questionFor: (groupBy: string, more?: Record<string, string>) => string;
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
  /** What the page is about, such as one link. */
  about: Readonly<Partial<Record<FilterName, string>>>;
  daysMax: number | null;
  children: ReactNode;
}

export function BoardStateProvider({ about, daysMax, children }: BoardStateProps) {
  const path = usePathname();
  const params = useSearchParams();
  const { zone } = useSource();
  const text = params.toString();
  const value = useMemo(
    () => makeState(path, text, zone, about, daysMax),
    [path, text, zone, about, daysMax],
  );
  return <Context value={value}>{children}</Context>;
}

function makeState(
  path: string,
  text: string,
  zone: string,
  about: BoardStateProps["about"],
  daysMax: number | null,
): BoardState {
  const params = new URLSearchParams(text);
  const asked = withinDays(readAsked(params), daysMax);
  // Needs nothing from the server: the cards ask for themselves.
  const go = (next: URLSearchParams, method: "pushState" | "replaceState") =>
    window.history[method](null, "", next.size > 0 ? `${path}?${next}` : path);
  const change = (part: Partial<Asked>) =>
    go(writeAsked(params, { ...asked, ...part }), "pushState");
  return {
    asked,
    daysMax,
    fixed: asFilterNames(Object.keys(about)),
    isChosen: (name, one) =>
      asked.filters.some(
        (filter) => filter.name === name && !filter.excluded && filter.values.includes(one),
      ),
    change,
    toggle: (name, one, also = []) => {
      const adds = !asked.filters.some(
        (filter) => filter.name === name && filter.values.includes(one),
      );
      const filters = toggleValue(asked.filters, name, one);
      change({ filters: adds ? also.reduce(addMissing, filters) : filters });
    },
    questionFor: (groupBy, more = {}) => {
      const query = questionOf(asked, zone);
      const base = { ...about, unique: "true", limit: String(pageRows) };
      const bots = asked.bots ? { bots: "true" } : {};
      // Also where nothing is compared: questions that are alike go together.
      const compare = asked.compare ? { compare: "previous" } : {};
      for (const [name, one] of Object.entries({ ...base, ...bots, ...compare, ...more })) {
        query.set(name, one);
      }
      query.set("groupBy", groupBy);
      return query.toString();
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
  filters: Asked["filters"],
  [name, value]: readonly [FilterName, string],
): Asked["filters"] {
  return filters.some((filter) => filter.name === name)
    ? filters
    : toggleValue(filters, name, value);
}

/** Sound because the keys of `about` are filter names. */
function asFilterNames(names: readonly string[]): FilterName[] {
  return names as FilterName[];
}
