import { expect, test } from "vitest";
import { groupingsMax } from "#lib/analytics/reports/schema";
import { createBatcher } from "./batched-queries.ts";

const source = { path: "/numbers", workspace: "one", zone: "UTC" };
const never = new AbortController().signal;

function reader() {
  const query: { address: string; signal: AbortSignal }[] = [];
  const ask = createBatcher((address, _, signal) => {
    query.push({ address, signal });
    const names = new URLSearchParams(address.split("?")[1]).get("groupBy")?.split(",") ?? [];
    if (names.includes("broken")) return Promise.reject(new Error("500"));
    const all = Object.fromEntries(names.map((name) => [name, name]));
    return Promise.resolve(names.length === 1 ? names[0] : all);
  });
  return { query, ask: (query: string, signal = never) => ask(source, query, signal) };
}

test("queries that differ in their grouping alone are one call, and each gets its own response", async () => {
  const { query, ask } = reader();
  const answers = await Promise.all([
    ask("groupBy=countries&interval=7d&device=Mobile"),
    ask("device=Mobile&interval=7d&groupBy=os"),
    ask("device=Mobile&interval=7d&groupBy=os"),
    ask("groupBy=count&interval=7d&device=Mobile&bots=true"),
  ]);
  expect(answers).toEqual(["countries", "os", "os", "count"]);
  expect(query.map(({ address }) => address)).toEqual([
    "/numbers?device=Mobile&interval=7d&groupBy=countries%2Cos",
    "/numbers?bots=true&device=Mobile&interval=7d&groupBy=count",
  ]);
  expect(await ask("groupBy=os")).toBe("os");
  expect(query).toHaveLength(3);
});

test(`a call has ${groupingsMax} groupings, and one more is another call`, async () => {
  const { query, ask } = reader();
  const names = Array.from({ length: groupingsMax + 1 }, (_, at) => `g${at}`);
  expect(await Promise.all(names.map((name) => ask(`groupBy=${name}`)))).toEqual(names);
  expect(query).toHaveLength(2);
});

test("a failure rejects every query of that call, and no other", async () => {
  const { ask } = reader();
  const answers = await Promise.allSettled([
    ask("groupBy=broken"),
    ask("groupBy=os"),
    ask("groupBy=os&interval=7d"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("a query aborted before the call is left out, and the last one aborted aborts the call", async () => {
  const { query, ask } = reader();
  const [aborted, leaving, staying] = [0, 1, 2].map(() => new AbortController());
  void ask("groupBy=a", aborted?.signal);
  aborted?.abort();
  const both = [ask("groupBy=b", leaving?.signal), ask("groupBy=c", staying?.signal)];
  await Promise.all(both);
  expect(query.map(({ address }) => address)).toEqual(["/numbers?groupBy=b%2Cc"]);
  leaving?.abort();
  expect(query[0]?.signal.aborted).toBe(false);
  staying?.abort();
  expect(query[0]?.signal.aborted).toBe(true);
});
