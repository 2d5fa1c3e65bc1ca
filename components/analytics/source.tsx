"use client";

/**
 * Loads the data of a page: from the API with the user's session, or from a share. Every card loads by itself, shows
 * its data while it reloads, and reloads periodically while the page is visible. Simultaneous queries are batched
 * (batched-queries.ts).
 */
import { createContext, use, useEffect, useEffectEvent, useState } from "react";
import { createBatcher } from "./batched-queries.ts";
import { liveClicks } from "./live-signal.ts";

const everyMs = 20_000;

export interface AnalyticsSource {
  /** URL of the queries, followed by `?groupBy=…`. */
  path: string;
  /** Sent with every call. Undefined if the path is enough. */
  workspace: string | undefined;
  zone: string;
  /** Nothing can be downloaded. */
  withoutFiles?: boolean;
  /** Answers that came with the page, keyed by query. */
  first?: Readonly<Record<string, unknown>>;
}

const SourceContext = createContext<AnalyticsSource>({
  path: "",
  workspace: undefined,
  zone: "UTC",
});
export const SourceProvider = SourceContext.Provider;

export function useSource(): AnalyticsSource {
  return use(SourceContext);
}

export function exportUrl({ path, workspace }: AnalyticsSource, query: string): string {
  const params = withoutParams(query, ["compare", "limit"]);
  if (workspace !== undefined) params.set("workspace", workspace);
  return `${path}/export?${params}`;
}

/** Files have every row, and no comparison. */
function withoutParams(query: string, names: readonly string[]): URLSearchParams {
  const params = new URLSearchParams(query);
  for (const name of names) params.delete(name);
  return params;
}

/** The URL of all clicks of a query as a file. Shares have no such file. */
export function clicksUrl({ workspace = "" }: AnalyticsSource, query: string, format: string) {
  const left = ["groupBy", "compare", "granularity", "unique", "bots", "limit"];
  const params = withoutParams(query, left);
  return `/api/events/export?${new URLSearchParams([...params, ["workspace", workspace], ["format", format]])}`;
}

export async function readJson(
  address: string,
  { workspace }: AnalyticsSource,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(address, {
    headers: {
      Prefer: "fuxi=1",
      ...(workspace === undefined ? {} : { "X-Fuxi-Workspace": workspace }),
    },
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return await response.json();
}

const readBatched = createBatcher(readJson);

export interface QueryAnswer {
  data: unknown;
  /** `stale` is the answer to an earlier query. */
  state: "loading" | "fresh" | "stale" | "failed";
  retry: () => void;
}

interface HeldAnswer {
  query: string;
  data: unknown;
  failed: boolean;
}

interface AnswerOptions {
  /** Reloads when clicks arrive in the live view. */
  live?: boolean;
}

/** Loads the answer to a query, or nothing if the query is undefined. */
export function useAnswer(
  query: string | undefined,
  { live = false }: AnswerOptions = {},
): QueryAnswer {
  const source = useSource();
  const [held, setHeld] = useState<HeldAnswer>(() => firstAnswer(source, query));
  const [tries, setTries] = useState(0);
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    if (query === undefined) return;
    try {
      const data = await readBatched(source, query, signal);
      if (!signal.aborted) setHeld({ query, data, failed: false });
    } catch {
      // Keeps data that is still valid. Only a missing answer is an error.
      if (signal.aborted) return;
      setHeld((before) =>
        before.query === query && before.data !== undefined
          ? before
          : { query, data: undefined, failed: true },
      );
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query and a retry are the events
  useEffect(() => {
    let controller = new AbortController();
    void ask(controller.signal);
    const retry = () => {
      if (document.visibilityState !== "visible") return;
      controller.abort();
      controller = new AbortController();
      void ask(controller.signal);
    };
    const timer = setInterval(retry, everyMs);
    document.addEventListener("visibilitychange", retry);
    const unsubscribe = live ? liveClicks.subscribe(retry) : undefined;
    return () => {
      controller.abort();
      unsubscribe?.();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", retry);
    };
  }, [query, tries, live]);
  return { data: held.data, state: stateOf(held, query), retry: () => setTries(tries + 1) };
}

function firstAnswer({ first = {} }: AnalyticsSource, query = ""): HeldAnswer {
  const has = Object.hasOwn(first, query);
  return { query: has ? query : "", data: has ? first[query] : undefined, failed: false };
}

function stateOf(held: HeldAnswer, query: string | undefined): QueryAnswer["state"] {
  if (held.query === query) return held.failed ? "failed" : "fresh";
  return held.data === undefined ? "loading" : "stale";
}
