"use client";

import { useEffect, useState } from "react";
import type { Link } from "#lib/links/fields/schema";
import type { FormAnswer } from "../forms/form.tsx";
import { useAction } from "../forms/use-action.ts";
import type { Creator } from "./link-parts.tsx";

/** Rows of a list, with what is shown beside each link. */
export interface ListRows {
  links: readonly Link[];
  /** Clicks of the last days of each link; null: none. */
  daily: readonly (readonly number[] | null)[];
  creators: ReadonlyMap<string, Creator>;
}

/** The rows of the page that its HTML does not contain. */
export interface LaterRows {
  count: number;
  load: () => Promise<FormAnswer<ListRows>>;
}

const noRows: ListRows = { links: [], daily: [], creators: new Map() };

/** All rows of a page: those it came with and, once they are here, the others. An error is shown in a toast. */
export function useLaterRows(first: ListRows, later: LaterRows | null) {
  const [loaded, setLoaded] = useState<{ by: LaterRows; rows: ListRows | "failed" }>();
  const [attempt, setAttempt] = useState(0);
  const runAction = useAction();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per page and attempt
  useEffect(() => {
    if (!later) return;
    let isCurrent = true;
    void runAction(later.load).then((answer) => {
      if (isCurrent) setLoaded({ by: later, rows: answer?.done ?? "failed" });
    });
    return () => {
      isCurrent = false;
    };
  }, [later, attempt]);
  const answer = later && loaded?.by === later ? loaded.rows : undefined;
  const rows = answer === undefined || answer === "failed" ? noRows : answer;
  const known = new Set(first.links.map(({ id }) => id));
  return {
    rows: joinRows(first, rows, (id) => !known.has(id)),
    /** Rows that are not here yet. */
    missing: rows === noRows ? (later?.count ?? 0) : 0,
    /** Null: nothing failed. */
    retry:
      answer === "failed"
        ? () => {
            setLoaded(undefined);
            setAttempt(attempt + 1);
          }
        : null,
  };
}

/** A link that was created meanwhile moves the rows: none of them is shown twice. */
function joinRows(first: ListRows, later: ListRows, isNew: (id: string) => boolean): ListRows {
  const added = later.links.flatMap(({ id }, at) => (isNew(id) ? [at] : []));
  return {
    links: [...first.links, ...added.flatMap((at) => later.links[at] ?? [])],
    daily: [...first.daily, ...added.map((at) => later.daily[at] ?? null)],
    creators: new Map([...first.creators, ...later.creators]),
  };
}
