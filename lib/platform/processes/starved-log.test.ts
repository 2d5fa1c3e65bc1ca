import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ["setInterval", "setTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function open() {
  const { log } = await import("#lib/platform/log");
  const { logUnlessStarved } = await import("./starved-log.ts");
  const warn = vi.spyOn(log, "warn").mockReturnValue(undefined);
  const overdue = (job: string) => logUnlessStarved("warn", { event: "job.overdue", job });
  return { warn, overdue };
}

/** As if no timer had run for this long. */
function starve(ms: number): void {
  const now = performance.now() + ms;
  vi.spyOn(performance, "now").mockReturnValue(now);
}

test("lines are written as usual while the CPU is free", async () => {
  const { warn, overdue } = await open();
  await vi.advanceTimersByTimeAsync(5_000);
  overdue("usage");
  overdue("usage");
  expect(warn.mock.calls).toEqual([
    [{ event: "job.overdue", job: "usage" }],
    [{ event: "job.overdue", job: "usage" }],
  ]);
});

test("after a wait for the CPU, one line per minute counts them", async () => {
  const { warn, overdue } = await open();
  await vi.advanceTimersByTimeAsync(5_000);
  starve(7_500);
  for (const job of ["usage", "usage", "bans"]) overdue(job);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]?.[0]).toMatchObject({
    event: "cpu.short",
    longestWaitMs: 6_500,
    "job.overdue usage": 2,
    "job.overdue bans": 1,
  });
});
