import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { timeBound } from "../../../test/bounds.ts";
import { TestDns } from "../../../test/dns.ts";
import {
  type DnsQueries,
  deadlineMs,
  displayValues,
  hopsMax,
  normalizeIp,
  queryDns,
  shownCharsMax,
  shownMax,
} from "./index.ts";

const dns = new TestDns();

// Concurrently, because some wait for timeouts.
vi.setConfig({ testTimeout: 10_000 });

beforeAll(async () => {
  await dns.open();
});
afterAll(() => dns.close());

function ask<T>(work: (dns: DnsQueries) => Promise<T>): Promise<T> {
  return queryDns(work, [dns.address]);
}

test.concurrent("the strings of a TXT record are joined, and every record is a value", async () => {
  dns.set("txt.example", { txt: ["one", ["in ", "two ", "strings"], "v=spf1 -all"] });
  const answer = await ask(({ txt }) => txt("txt.example"));
  expect(answer).toMatchObject({ kind: "found" });
  expect(answer.kind === "found" && answer.values.toSorted()).toEqual([
    "in two strings",
    "one",
    "v=spf1 -all",
  ]);
});

test.concurrent("a missing name, one without such a record, and one that is invalid in DNS have none", async () => {
  dns.set("empty.example", {});
  for (const name of ["none.example", "empty.example", `${"a".repeat(70)}.example`, "a..example"]) {
    expect(await ask(({ txt }) => txt(name)), name).toEqual({ kind: "none" });
    expect(await ask(({ a }) => a(name)), name).toEqual({ kind: "none" });
    expect(await ask(({ cnames }) => cnames(name)), name).toEqual({ kind: "none" });
  }
});

test.concurrent.each(["SERVFAIL", "REFUSED", "garbage"] as const)(
  "%s is a failed lookup",
  async (fault) => {
    dns.set(`${fault}.example`, { fault });
    expect(await ask(({ txt }) => txt(`${fault}.example`))).toEqual({ kind: "unsure" });
  },
);

test.concurrent("silence, also of a closed port, is a failed lookup and ends in time", async () => {
  dns.set("silent.example", { fault: "silence" }).set("quick.example", { txt: ["here"] });
  const from = performance.now();
  const work = ({ txt, a, cnames }: DnsQueries) =>
    Promise.all([txt("silent.example"), a("silent.example"), cnames("silent.example")]);
  const [answers, nobody] = await Promise.all([
    ask(work),
    queryDns(({ txt }) => txt("quick.example"), ["127.0.0.1:1"]),
  ]);
  expect(new Set([...answers, nobody].map(({ kind }) => kind))).toEqual(new Set(["unsure"]));
  expect(performance.now() - from).toBeLessThan(deadlineMs + timeBound(1_000));
});

test.concurrent("a slow answer within a try counts; queries after the deadline are not sent", async () => {
  dns.set("slow.example", { txt: ["late"], delayMs: 800 });
  const answers = await ask(async ({ txt }) => {
    const found: string[] = [];
    for (let at = 0; at < 10; at++) found.push((await txt("slow.example")).kind);
    return found;
  });
  expect(answers[0]).toBe("found");
  expect(answers.at(-1)).toBe("unsure");
});

test.concurrent("an answer too large for UDP comes over TCP, thousands of records and 60 KB of text", async () => {
  const texts = Array.from({ length: 200 }, (_, at) => `${at}-${"x".repeat(240)}`);
  dns.set("huge.example", { txt: [...texts, "needle"] });
  const addresses = Array.from({ length: 2_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
  dns.set("many.example", { a: addresses });
  const [txt, a] = await ask((all) =>
    Promise.all([all.txt("huge.example"), all.a("many.example")]),
  );
  expect(txt.kind === "found" && txt.values).toContain("needle");
  expect(a.kind === "found" && a.values.length).toBe(addresses.length);
});

test.concurrent("CNAMEs are followed to their end, in no circle and not without limit", async () => {
  dns.set("one.example", { cname: "TWO.example" }).set("two.example", { cname: "three.example." });
  dns.set("three.example", { a: ["203.0.113.7"] });
  expect(await ask(({ cnames }) => cnames("one.example"))).toEqual({
    kind: "found",
    values: ["two.example", "three.example"],
  });
  dns.set("ring.example", { cname: "gnir.example" }).set("gnir.example", { cname: "ring.example" });
  dns.set("self.example", { cname: "self.example" });
  for (const name of ["ring.example", "self.example"]) {
    expect(await ask(({ cnames }) => cnames(name))).toEqual({ kind: "none" });
    expect((await ask(({ a }) => a(name))).kind).not.toBe("found");
  }
  for (let at = 0; at <= hopsMax + 2; at++)
    dns.set(`h${at}.example`, { cname: `h${at + 1}.example` });
  const long = await ask(({ cnames }) => cnames("h0.example"));
  expect(long.kind === "found" && long.values).toHaveLength(hopsMax);
});

test.concurrent("addresses are compared in one spelling", () => {
  expect(normalizeIp("2001:DB8:0:0::7")).toBe("2001:db8::7");
  expect(normalizeIp("203.0.113.7")).toBe("203.0.113.7");
  expect(normalizeIp("no address")).toBe("no address");
});

test.concurrent("the shown part of an answer is limited, short and plain", () => {
  const shown = displayValues(
    Array.from({ length: 2_000 }, () => `a\0b\u202ec\ud800${"d".repeat(9_999)}`),
  );
  expect(shown).toHaveLength(shownMax);
  expect(shown[0]).toHaveLength(shownCharsMax);
  expect(shown[0]).toMatch(/^a\ufffdb\ufffdc\ufffdd+$/);
});
