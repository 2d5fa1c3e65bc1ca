/**
 * Batches simultaneous queries of the cards. Queries that only differ in their grouping become one call, so that a page needs a
 * call or two, no matter how many cards it has.
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

/** All effects of a page run in the same turn, so their queries wait until it ends. */
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
    // Aborted only if no card waits for any part of the call.
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
