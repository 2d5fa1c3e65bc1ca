/**
 * What lists of destinations cost a create, per link: in memory, with lists of 100,000 hosts and paths, against no
 * lists and against parsing the URL once in the same run. `npm run bench destinations`.
 */
import { writeFileSync } from "node:fs";
import { HostList, type HostReach } from "#lib/basics/urls";
import { type DestinationRules, findRefused } from "#lib/destinations/lists";
import { machine, median } from "./stage.ts";

const entries = 100_000;
const checks = 20_000;
const rounds = 15;

/** A third each: hosts, wildcards, paths. */
function entryOf(at: number): string {
  if (at % 3 === 0) return `host-${at}.example.com`;
  return at % 3 === 1 ? `*.host-${at}.example.com` : `host-${at}.example.com/shop`;
}

function makeList(reach: HostReach): { list: HostList; ms: number } {
  const before = performance.now();
  const list = new HostList(reach);
  for (let at = 0; at < entries; at++) list.add(entryOf(at));
  return { list, ms: performance.now() - before };
}

const allow = makeList("host");
const block = makeList("host and subdomains");
const banned = new Map<string, true>();
const none: DestinationRules = { instance: {}, workspace: {}, banned };
const lists: DestinationRules = {
  instance: { allow: allow.list, block: new HostList("host and subdomains") },
  workspace: { allow: allow.list },
  banned,
};
const blocked: DestinationRules = {
  instance: { block: block.list },
  workspace: { block: block.list },
  banned,
};

/** The host of a URL as a create already has it. */
function hostOf(url: string): string {
  return /^https:\/\/([^/]+)/.exec(url)?.[1] ?? "";
}

function timePerCheck(urls: readonly string[], check: (url: string) => unknown): number {
  const times: number[] = [];
  let seen = 0;
  for (let round = 0; round < rounds; round++) {
    const before = performance.now();
    for (const url of urls) if (check(url) !== undefined) seen += 1;
    times.push(((performance.now() - before) * 1_000) / urls.length);
  }
  if (seen < 0) throw new Error("Never: keeps the checks from being optimized away");
  return Number(median(times).toFixed(3));
}

const numbers = Array.from({ length: checks }, (_, at) => (at * 37) % entries);
const exact = numbers.map((at) => `https://host-${at - (at % 3)}.example.com/a/b?c`);
const wildcards = numbers.map((at) => `https://www.host-${at - (at % 3) + 1}.example.com/a/b?c`);
const paths = numbers.map((at) => `https://host-${at - (at % 3) + 2}.example.com/shop/a/b?c`);
const deep = numbers.map((at) => `https://${"a.".repeat(30)}other-${at}.example.org/a/b?c`);
const check = (rules: DestinationRules) => (url: string) => findRefused(rules, [url], hostOf);

const baseline = timePerCheck(exact, (url) => new URL(url).hostname);
const rows = [
  { case: "new URL(url), the baseline", us: baseline },
  { case: "no lists", us: timePerCheck(exact, check(none)) },
  { case: "two allow lists, host found", us: timePerCheck(exact, check(lists)) },
  { case: "two allow lists, wildcard found", us: timePerCheck(wildcards, check(lists)) },
  { case: "two allow lists, path found", us: timePerCheck(paths, check(lists)) },
  { case: "two block lists, 32 labels, not found", us: timePerCheck(deep, check(blocked)) },
].map((row) => ({ ...row, ratio: Number((row.us / baseline).toFixed(2)) }));
process.stdout.write(
  `\n| ${entries.toLocaleString("en")} entries per list | µs per check | ratio |\n`,
);
process.stdout.write("| :--- | ---: | ---: |\n");
for (const row of rows) process.stdout.write(`| ${row.case} | ${row.us} | ${row.ratio} |\n`);
process.stdout.write(`\nBuilding one list: ${Math.round(allow.ms)} ms\n`);
if (process.argv.includes("--keep")) {
  const result = { machine: machine(), entries, checks, rows, buildMs: Math.round(allow.ms) };
  writeFileSync("bench/destinations.json", `${JSON.stringify(result, null, 2)}\n`);
}
