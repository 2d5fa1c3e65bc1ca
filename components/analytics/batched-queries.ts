/**
 * Batches simultaneous queries of the cards: those that differ only in their grouping are one call, so that a page
 * needs a call or two, whatever the number of its cards.
 */
import { groupingsMax } from "#lib/analytics/reports/schema";
import type { AnalyticsSource } from "./source.tsx";

type ReadAnswer = (
  address: string,
  source: AnalyticsSource,
  signal: AbortSignal,
) => Promise<unknown>;

interface WaitingQuery {
  groupBy: string;
  signal: AbortSignal;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** Effects of one page run in one turn; their queries wait for its end. */
const waitMs = 0;

export function createBatcher(read: ReadAnswer) {
  const calls = new Map<
    string,
    { source: AnalyticsSource; rest: string; waiting: WaitingQuery[] }
  >();

  function sendAll(): void {
    const due = [...calls.values()];
    calls.clear();
    for (const { source, rest, waiting } of due) {
      const open = waiting.filter(({ signal }) => !signal.aborted);
      const names = [...new Set(open.map(({ groupBy }) => groupBy))];
      for (let at = 0; at < names.length; at += groupingsMax) {
        const batch = names.slice(at, at + groupingsMax);
        const members = open.filter(({ groupBy }) => batch.includes(groupBy));
        void send(source, rest, batch, members);
      }
    }
  }

  async function send(
    source: AnalyticsSource,
    rest: string,
    names: readonly string[],
    waiting: readonly WaitingQuery[],
  ): Promise<void> {
    const controller = new AbortController();
    // Aborted only when no card waits for any part of it.
    for (const { signal } of waiting) {
      signal.addEventListener("abort", () => {
        if (waiting.every((one) => one.signal.aborted)) controller.abort();
      });
    }
    try {
      const query = new URLSearchParams(rest);
      query.set("groupBy", names.join(","));
      const answer = await read(`${source.path}?${query}`, source, controller.signal);
      const answers: Readonly<Record<string, unknown>> = Object(answer);
      for (const { groupBy, resolve } of waiting) {
        resolve(names.length === 1 ? answer : answers[groupBy]);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return (source: AnalyticsSource, text: string, signal: AbortSignal): Promise<unknown> => {
    const query = new URLSearchParams(text);
    const groupBy = query.get("groupBy") ?? "count";
    query.delete("groupBy");
    query.sort();
    const rest = query.toString();
    const key = `${source.path} ${source.workspace} ${rest}`;
    const call = calls.get(key) ?? { source, rest, waiting: [] };
    if (calls.size === 0) setTimeout(sendAll, waitMs);
    calls.set(key, call);
    return new Promise((resolve, reject) => {
      call.waiting.push({ groupBy, signal, resolve, reject });
    });
  };
}
