"use client";

import { useEffect, useMemo, useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { type ListRows, type SentRows, withEmptyFields } from "./sent-rows.ts";

/** The rows of the page that its HTML does not contain. */
export interface LaterRows {
  count: number;
  load: () => Promise<FormAnswer<SentRows>>;
}

const noRows: ListRows = { links: [], daily: [], creators: new Map() };

/** All rows of a page: those it came with and, once they are here, the others. An error is shown in a toast. */
export function useLaterRows(sent: SentRows, later: LaterRows | null) {
  const first = useMemo(() => withEmptyFields(sent), [sent]);
  const [loaded, setLoaded] = useState<{ by: LaterRows; rows: ListRows | "failed" }>();
  const [attempt, setAttempt] = useState(0);
  const runAction = useAction();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per page and attempt
  useEffect(() => {
    if (!later) return;
    let isCurrent = true;
    void runAction(later.load).then((answer) => {
      const rows = answer?.done ? withEmptyFields(answer.done) : "failed";
      if (isCurrent) setLoaded({ by: later, rows });
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
