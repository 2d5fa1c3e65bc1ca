/**
 * Runs jobs at their periods. A worker for which a job is due takes the turn in Redis, which the first of several workers gets.
 *
 * Most jobs rarely find work. Those with a condition (`due`) are asked together, in one statement, and run without being asked
 * once per `unaskedMs`.
 */
import type { z } from "zod";
import { query } from "#lib/platform/postgres";
import { logUnlessStarved } from "#lib/platform/processes";
import { defineScript, redisKeys } from "#lib/platform/redis";
import type { JobDefinition } from "./index.ts";

const tickMsMax = 500;
const unaskedMs = 60_000;
/** Redis may lack memory, even for the turn of the job that would free some. Then a job this late runs without one. */
const overdueMs = 10_000;

type Definition = JobDefinition<z.ZodType>;

interface Schedule {
  definition: Definition;
  everyMs: number;
  nextAt: number;
  /** When it last ran here, or another worker had the turn, or there was no work. */
  seenAt: number;
  unaskedAt: number;
  running: number;
  /** Its turn is being taken. */
  isPending: boolean;
}

type Run = (definition: Definition) => Promise<unknown>;

/** ARGV: milliseconds of each turn. 0: taken. Otherwise the milliseconds until the next one. */
const takeTurnsScript = `
local left = {}
for at, key in ipairs(KEYS) do
  left[at] = redis.call('SET', key, 1, 'NX', 'PX', ARGV[at]) and 0 or math.max(1, redis.call('PTTL', key))
end
return left`;

const takeTurns = defineScript<[count: number, ...keysAndMs: (string | number)[]], number[]>({
  name: "takeTurns",
  purpose: "queue",
  lua: takeTurnsScript,
});

export class Schedules {
  readonly #schedules: readonly Schedule[];
  readonly #tickMs: number;
  readonly #run: Run;
  readonly #runs = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #isAsking = false;

  constructor(definitions: readonly Definition[], run: Run) {
    const now = performance.now();
    this.#run = run;
    this.#schedules = definitions.flatMap((definition): Schedule[] => {
      const { everyMs } = definition;
      const since = { nextAt: now, seenAt: now, unaskedAt: Number.NEGATIVE_INFINITY };
      return everyMs ? [{ definition, everyMs, ...since, running: 0, isPending: false }] : [];
    });
    this.#tickMs = Math.min(tickMsMax, ...this.#schedules.map(({ everyMs }) => everyMs));
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#runs);
  }

  #tick(): void {
    const now = performance.now();
    // A tick may come early by the jitter of the one before.
    const until = now + this.#tickMs / 2;
    const due = this.#schedules.filter(
      ({ nextAt, isPending, running, definition: { concurrency = 1 } }) =>
        nextAt <= until && !isPending && running < concurrency,
    );
    const isAsked = ({ definition, unaskedAt }: Schedule) =>
      definition.due !== undefined && now - unaskedAt < unaskedMs;
    const unasked = due.filter((one) => !isAsked(one));
    if (unasked.length > 0) void this.#take(unasked);
    const asked = due.filter(isAsked);
    if (asked.length > 0 && !this.#isAsking) void this.#ask(asked);
  }

  async #ask(asked: readonly Schedule[]): Promise<void> {
    this.#isAsking = true;
    try {
      const names = await listDue(this.#schedules, asked);
      const [working, idle] = [
        asked.filter(({ definition: { name } }) => names.has(name)),
        asked.filter(({ definition: { name } }) => !names.has(name)),
      ];
      const now = performance.now();
      for (const one of idle) Object.assign(one, { nextAt: now + one.everyMs, seenAt: now });
      if (working.length > 0) void this.#take(working);
    } catch {
      // PostgreSQL is unavailable. The next tick asks again.
    } finally {
      this.#isAsking = false;
    }
  }

  async #take(schedules: readonly Schedule[]): Promise<void> {
    for (const one of schedules) one.isPending = true;
    const left = await takeTurns(
      schedules.length,
      ...schedules.map(({ definition: { name } }) => redisKeys.turn(name)),
      // Ends before the next tick of the same worker.
      ...schedules.map(({ everyMs }) => Math.ceil(everyMs - this.#tickMs / 2)),
    ).catch(() => undefined);
    const now = performance.now();
    for (const [at, one] of schedules.entries()) {
      one.isPending = false;
      const leftMs = left?.[at];
      if (leftMs === undefined) this.#runOverdue(one, now);
      else if (leftMs > 0) Object.assign(one, { nextAt: now + leftMs, seenAt: now });
      else this.#start(one, now);
    }
  }

  #runOverdue(schedule: Schedule, now: number): void {
    const { definition, everyMs, seenAt } = schedule;
    const lateMs = now - seenAt - everyMs;
    if (lateMs < overdueMs) return;
    const { name: job } = definition;
    logUnlessStarved("warn", { event: "job.overdue", job, lateMs: Math.round(lateMs) });
    this.#start(schedule, now);
  }

  #start(schedule: Schedule, now: number): void {
    const { definition, everyMs } = schedule;
    Object.assign(schedule, { nextAt: now + everyMs, seenAt: now, unaskedAt: now });
    schedule.running += 1;
    const run = this.#run(definition)
      .catch(() => undefined) // Redis is unavailable, so only the log has the failure
      .then(() => {
        schedule.running -= 1;
        this.#runs.delete(run);
      });
    this.#runs.add(run);
  }
}

/** The conditions of all jobs, so that the plan of the statement is kept; only those of `asked` are evaluated. */
async function listDue(all: readonly Schedule[], asked: readonly Schedule[]): Promise<Set<string>> {
  const cases = all.flatMap(({ definition: { name, due } }) =>
    due ? `('${name}', CASE WHEN '${name}' = ANY($1) THEN ${due()} END)` : [],
  );
  const rows = await query<{ name: string }>({
    name: "queue.due",
    text: `SELECT name FROM (VALUES ${cases.join(", ")}) AS job (name, due) WHERE due`,
    values: [asked.map(({ definition: { name } }) => name)],
  });
  return new Set(rows.map(({ name }) => name));
}
