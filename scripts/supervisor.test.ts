import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Supervisor } from "./supervisor.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const serving = `process.send({type: "ready"}); setInterval(() => {}, 1000);
process.on("SIGTERM", () => { console.log(process.argv[1]); process.exit(0); });`;

function describeParts(sources: Record<string, string>) {
  return Object.entries(sources).map(([name, source]) => {
    const entry = join(folder, `${name}.mjs`);
    writeFileSync(entry, source);
    return { name, args: [entry] };
  });
}

function supervise(sources: Record<string, string>) {
  const lines: string[] = [];
  const giveUps: string[] = [];
  const supervisor = new Supervisor({
    parts: describeParts(sources),
    env: process.env,
    output: "inherit",
    pauseMinMs: 1,
    report: (line) => lines.push(line),
    onChildren: () => undefined,
    onGiveUp: (reason) => giveUps.push(reason),
  });
  return { supervisor, lines, giveUps };
}

test("a part that ends before it was ready stops the start with its exit code", async () => {
  const { supervisor } = supervise({ good: serving, bad: "process.exit(7)" });
  await expect(supervisor.start()).rejects.toThrow(
    "bad ended with exit code 7 before it was ready",
  );
  expect(supervisor.pidOf("good")).toBeDefined();
});

test("a killed process is reported and restarted", async () => {
  const { supervisor, lines } = supervise({ one: serving });
  await supervisor.start();
  const before = supervisor.pidOf("one");
  process.kill(before ?? 0, "SIGKILL");
  await expect.poll(() => lines).toContain("one is ready again");
  expect(lines[0]).toMatch(/^one ended by SIGKILL/);
  expect(supervisor.pidOf("one")).not.toBe(before);
  await supervisor.stop();
});

test("five crashes within a minute stop the supervisor", async () => {
  // Ready, and ended a moment later.
  const crashing = `process.send({type: "ready"}); setTimeout(() => process.exit(3), 50);`;
  const { supervisor, giveUps } = supervise({ one: crashing });
  await supervisor.start();
  await expect.poll(() => giveUps).toHaveLength(1);
  expect(giveUps[0]).toContain("one ended with exit code 3: 5 crashes within a minute");
  await supervisor.stop();
});
