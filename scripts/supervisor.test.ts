import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { unfixableExit } from "#lib/platform/config";
import { Supervisor } from "./supervisor.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const serving = `process.send({type: "ready"}); setInterval(() => {}, 1000);
process.on("SIGTERM", () => { console.log(process.argv[1]); process.exit(0); });`;

function describeParts(sources: Record<string, string>, late: readonly string[]) {
  return Object.entries(sources).map(([name, source]) => {
    const entry = join(folder, `${name}.mjs`);
    writeFileSync(entry, source);
    return { name, args: [entry], serves: !late.includes(name) };
  });
}

function supervise(sources: Record<string, string>, ...late: string[]) {
  const lines: string[] = [];
  const giveUps: string[] = [];
  const supervisor = new Supervisor({
    parts: describeParts(sources, late),
    env: process.env,
    output: "inherit",
    pauseMinMs: 1,
    report: (line) => lines.push(line),
    onChildren: () => undefined,
    onGiveUp: (reason, exitCode) => giveUps.push(`${reason} (${exitCode})`),
  });
  return { supervisor, lines, giveUps };
}

test("before anything is served, a part that keeps crashing stops the start with its exit code", async () => {
  const { supervisor, lines } = supervise({ good: serving, bad: "process.exit(7)" });
  await expect(supervisor.start()).rejects.toThrow("bad ended with exit code 7, 5 times in a row.");
  expect(lines.filter((line) => line.startsWith("bad ended"))).toHaveLength(4);
});

test.each([
  [0, "before"],
  [200, "after"],
])(
  "what waiting can’t fix stops everything at once (%i ms, %s the first visit)",
  async (ms, when) => {
    const bad = `process.send({type: "ready"}); setTimeout(() => process.exit(${unfixableExit}), ${ms});`;
    const { supervisor, giveUps } = supervise({
      good: serving,
      bad: when === "before" ? `process.exit(${unfixableExit})` : bad,
    });
    const started = supervisor.start();
    if (when === "before") {
      const exitCode = unfixableExit;
      await expect(started).rejects.toMatchObject({ exitCode });
    } else {
      await started;
      await expect.poll(() => giveUps).toEqual(["bad can’t run, for the reason above (78)"]);
    }
    await supervisor.stop();
  },
);

test("the instance serves while a slow part is still starting, and says when it is ready", async () => {
  const slow = `setTimeout(() => { ${serving} }, 500);`;
  const { supervisor, lines } = supervise({ front: serving, slow }, "slow");
  await supervisor.start();
  expect(supervisor.starting()).toEqual(["slow"]);
  await expect.poll(() => lines).toEqual(["slow is ready"]);
  expect(supervisor.starting()).toEqual([]);
  await supervisor.stop();
});

test("a stop during the start ends the start", async () => {
  const { supervisor } = supervise({ front: serving, slow: "setInterval(() => {}, 1000);" });
  const started = supervisor.start();
  await expect.poll(() => supervisor.starting()).toEqual(["slow"]);
  const ended = expect(started).rejects.toThrow("Stopped during the start.");
  await supervisor.stop();
  await ended;
});

test("a killed process is reported and restarted", async () => {
  const { supervisor, lines } = supervise({ one: serving });
  await supervisor.start();
  const before = supervisor.pidOf("one");
  process.kill(before ?? 0, "SIGKILL");
  await expect.poll(() => lines).toContain("one is ready");
  expect(lines[0]).toMatch(/^one ended by SIGKILL/);
  expect(supervisor.pidOf("one")).not.toBe(before);
  await supervisor.stop();
});

test("a part that keeps crashing is restarted after growing pauses, and the others go on and hear of it", async () => {
  // Ready, and ended a moment later.
  const crashing = `process.send({type: "ready"}); setTimeout(() => process.exit(3), 20);`;
  const listening = `import { renameSync, writeFileSync } from "node:fs";
process.on("message", (message) => {
  writeFileSync(process.argv[1] + ".part", JSON.stringify(message));
  renameSync(process.argv[1] + ".part", process.argv[1] + ".heard");
});
${serving}`;
  const { supervisor, lines, giveUps } = supervise({ front: listening, one: crashing }, "one");
  await supervisor.start();
  const front = supervisor.pidOf("front");
  await expect.poll(() => lines.join(), { timeout: 20_000 }).toContain("(crash 8 in a row)");
  const pauses = lines
    .flatMap((line) => /restarting in ([\d.]+) s/.exec(line)?.[1] ?? [])
    .map(Number);
  expect(pauses.slice(0, 8)).toEqual([0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128]);
  expect(giveUps).toEqual([]);
  expect(supervisor.pidOf("front")).toBe(front);
  const heard = JSON.parse(readFileSync(join(folder, "front.mjs.heard"), "utf8"));
  expect(heard).toMatchObject({ type: "crashes", crashing: ["one"], restarts: { front: 0 } });
  expect(heard.restarts.one).toBeGreaterThanOrEqual(7);
  await supervisor.stop();
});

test("a part that gets too little CPU time is started again, once, without a lower priority", async () => {
  const slow = `console.log(process.env.FUXI_PRIORITIES ?? "as set");
${serving}
process.send({type: "starved"});`;
  const { supervisor, lines } = supervise({ worker: slow }, "worker");
  await supervisor.start();
  const first = supervisor.pidOf("worker");
  await expect.poll(() => lines.filter((line) => line === "worker is ready")).toHaveLength(1);
  expect(supervisor.pidOf("worker")).not.toBe(first);
  expect(lines.filter((line) => line.includes("normal priority"))).toHaveLength(1);
  expect(environmentOf(supervisor.pidOf("worker"))).toContain("FUXI_PRIORITIES=off");
  await supervisor.stop();
});

test("one part answers with the metrics of all others", async () => {
  const answering = `${serving}
process.on("message", ({type}) => { if (type === "metrics?") process.send({type: "metrics", metrics: [{name: process.argv[1], values: []}]}); });`;
  const asking = `import { writeFileSync } from "node:fs";
${serving}
process.on("message", (message) => {
  if (message.type === "crashes") process.send({type: "metrics?"});
  else writeFileSync(process.argv[1] + ".heard", JSON.stringify(message));
});`;
  const { supervisor } = supervise({ front: asking, worker: answering, mute: serving });
  await supervisor.start();
  await expect
    .poll(() => JSON.parse(readFileSync(join(folder, "front.mjs.heard"), "utf8")), {
      timeout: 10_000,
    })
    .toMatchObject({ type: "metricsOfParts", parts: [{ name: "worker" }] });
  await supervisor.stop();
});

function environmentOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/environ`, "utf8");
}
