"use client";

/**
 * Where the numbers of a page come from: the API with the person's session, or what a share shows. Every card asks by
 * itself, keeps what it has while it asks anew, and asks again now and then while somebody looks. What they ask at the
 * same time goes together (together.ts).
 */
import { createContext, use, useEffect, useEffectEvent, useState } from "react";
import { makeTogether } from "./together.ts";

const everyMs = 20_000;

export interface Source {
  /** Address of the questions; `?groupBy=…` follows. */
  path: string;
  /** Named in every call with the session; undefined: the path says it all. */
  workspace: string | undefined;
  zone: string;
}

const SourceContext = createContext<Source>({ path: "", workspace: undefined, zone: "UTC" });
export const SourceProvider = SourceContext.Provider;

export function useSource(): Source {
  return use(SourceContext);
}

/** The address of a file with the answer, which the browser fetches by itself. */
export function fileAddress({ path, workspace }: Source, query: string): string {
  const named = workspace === undefined ? "" : `&${new URLSearchParams({ workspace })}`;
  return `${path}/export?${query}${named}`;
}

export async function readJson(
  address: string,
  { workspace }: Source,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(address, {
    ...(workspace === undefined ? {} : { headers: { "X-Fuxi-Workspace": workspace } }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return await response.json();
}

const askTogether = makeTogether(readJson);

export interface Answer {
  data: unknown;
  /** Nothing to show yet, the answer, the answer to another question, or none. */
  state: "loading" | "fresh" | "stale" | "failed";
  retry: () => void;
}

interface Held {
  query: string;
  data: unknown;
  failed: boolean;
}

/** The answer to a question; undefined asks nothing. */
export function useAnswer(query: string | undefined): Answer {
  const source = useSource();
  const [held, setHeld] = useState<Held>({ query: "", data: undefined, failed: false });
  const [tries, setTries] = useState(0);
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    if (query === undefined) return;
    try {
      const data = await askTogether(source, query, signal);
      if (!signal.aborted) setHeld({ query, data, failed: false });
    } catch {
      // What is shown and still true stays; only an answer that never came is a failure.
      if (signal.aborted) return;
      setHeld((before) =>
        before.query === query && before.data !== undefined
          ? before
          : { query, data: undefined, failed: true },
      );
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question and a new try are the events
  useEffect(() => {
    let controller = new AbortController();
    void ask(controller.signal);
    const again = () => {
      if (document.visibilityState !== "visible") return;
      controller.abort();
      controller = new AbortController();
      void ask(controller.signal);
    };
    const timer = setInterval(again, everyMs);
    document.addEventListener("visibilitychange", again);
    return () => {
      controller.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [query, tries]);
  return { data: held.data, state: stateOf(held, query), retry: () => setTries(tries + 1) };
}

function stateOf(held: Held, query: string | undefined): Answer["state"] {
  if (held.query === query) return held.failed ? "failed" : "fresh";
  return held.data === undefined ? "loading" : "stale";
}
