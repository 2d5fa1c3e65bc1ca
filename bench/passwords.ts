/**
 * How long a visitor’s password takes: alone, and while workspaces store passwords without a break. `npm run bench
 * passwords`. The ratio of the two is of one run on one machine.
 */
import { writeFileSync } from "node:fs";
import { hashPassword, hashPasswords, verifyPassword } from "#lib/platform/passwords";
import { machine, median } from "./stage.ts";

const checks = 20;
/** Each keeps the queue of its workspace filled. */
const loads = [0, 1, 8];
const batch = 3;
const password = "correct horse";

async function timeChecks(stored: string): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < checks; at++) {
    const before = performance.now();
    if (!(await verifyPassword(password, stored))) throw new Error("The password was refused");
    times.push(performance.now() - before);
  }
  return times;
}

/** Stores passwords until it is told to stop; returns their number. */
async function storePasswords(group: string, load: { ends: boolean }): Promise<number> {
  let stored = 0;
  while (!load.ends) {
    const texts = Array.from({ length: batch }, (_, at) => `${stored + at}`);
    stored += (await hashPasswords(texts, { group, member: group })).size;
  }
  return stored;
}

const stored = await hashPassword(password);
const rows: { workspaces: number; medianMs: number; maxMs: number; ratio: number }[] = [];
for (const workspaces of loads) {
  const load = { ends: false };
  const storing = Array.from({ length: workspaces }, (_, at) => storePasswords(String(at), load));
  const times = await timeChecks(stored);
  load.ends = true;
  await Promise.all(storing);
  const medianMs = Math.round(median(times));
  const ratio = Number((medianMs / (rows[0]?.medianMs ?? medianMs)).toFixed(2));
  rows.push({ workspaces, medianMs, maxMs: Math.round(Math.max(...times)), ratio });
}
process.stdout.write("\n| Workspaces storing passwords | Check, median ms | max ms | ratio |\n");
process.stdout.write("| ---: | ---: | ---: | ---: |\n");
for (const { workspaces, medianMs, maxMs, ratio } of rows) {
  process.stdout.write(`| ${workspaces} | ${medianMs} | ${maxMs} | ${ratio} |\n`);
}
const result = { machine: machine(), checks, rows };
if (process.argv.includes("--keep")) {
  writeFileSync("bench/passwords.json", `${JSON.stringify(result, null, 2)}\n`);
}
