/**
 * Long work that survives its worker. Each piece of work is a row in Postgres with its state. The
 * job in Redis, with the id of the row, only wakes a worker.
 *
 *     waiting ──take──▶ running ──the work ends it──▶ done, failed, …
 *        ▲               │  │ ▲
 *        └────release────┘  └─┘ taken again: its worker was silent for `silentSeconds`
 *
 * - take: the worker gets the row and a lease, which is the number of this attempt.
 *
 * - lock: every transaction of the work locks the row and checks the lease. If another worker has
 * taken the row, or a person has paused or canceled the work, the attempt ends without writing.
 *
 * - report: while the work runs, the row is marked as alive several times per `silentSeconds`.
 *
 * - release: when the work throws, the row waits again. `settle` ends work that cannot succeed.
 *
 * - requeue: a schedule enqueues each row that could be taken. A row has one job, so nothing piles
 * up.
 *
 * The work must be safe to run twice, even at once: a worker taken for dead may only be slow.
 */
import { z } from "zod";
import { log } from "#lib/platform/log";
import { type Connection, query, type Statement, transaction } from "#lib/platform/postgres";
import { runChild } from "#lib/platform/processes";
import { defineJob, enqueueOnce, type JobDefinition } from "#lib/platform/queue";

/** The next run enqueues newer rows. */
const requeuedAtOnce = 100;
const reportsPerSilence = 5;
/** Rare, so that a slow start does not count as hanging. */
const silencesPerLook = 30;

export interface LeasedRow {
  id: string;
  state: string;
  attempts?: number;
}

export interface WorkDefinition<Row extends LeasedRow> {
  job: string;
  concurrency?: number;
  requeue: { job: string; everyMs: number };
  /** Needs `id`, `state`, `seen_at` and `created_at`, and a partial index of its open states. */
  table: string;
  columns: string;
  /** State of a waiting row → state while a worker has it. If both are equal, an old `seen_at` means waiting. */
  states: Readonly<Record<string, string>>;
  set?: string;
  only?: string;
  /** A worker that is silent for this long counts as dead. */
  silentSeconds: number;
  /** Without it, work never fails for good, and the lease has no owner. */
  attemptsMax?: number;
  /** While false, rows are not taken, which uses up no attempts. */
  isReady?: () => Promise<boolean>;
  /** Runs each piece in its own process, which calls `run`. */
  program?: URL;
  work: (row: Row) => Promise<void>;
  /** Ends work that cannot succeed. If it throws, the row is released. */
  settle?: (row: Row, error: unknown) => Promise<void>;
}

/** Another worker took the row, or a person ended the work. */
class LeaseLost extends Error {}

/** Workers died on this work, or released it, as often as allowed. */
export class AttemptsUsed extends Error {}

const payload = z.object({ id: z.string() });

export class LeasedWork<Row extends LeasedRow> {
  readonly jobs: readonly [
    JobDefinition<typeof payload>,
    JobDefinition<z.ZodObject<Record<never, never>>>,
  ];
  readonly #definition: WorkDefinition<Row>;
  readonly #takeable: string;
  readonly #counts: boolean;

  constructor(definition: WorkDefinition<Row>) {
    const { job: name, concurrency = 1, requeue, table, silentSeconds, states, only } = definition;
    this.#definition = definition;
    this.#counts = definition.attemptsMax !== undefined;
    const open = [...new Set(Object.entries(states).flat())];
    const waiting = Object.keys(states).filter((state) => states[state] !== state);
    this.#takeable = `state IN (${quoted(open)})
        AND (state IN (${quoted(waiting)}) OR seen_at < now() - interval '${silentSeconds} seconds')
        ${only ? `AND ${only}` : ""}`;
    const handle = ({ id }: { id: string }) => this.#handle(id);
    const silentMs = silentSeconds * 1_000;
    this.jobs = [
      defineJob({ name, schema: payload, concurrency, silentMs, handle }),
      defineJob({
        name: requeue.job,
        schema: z.object({}),
        everyMs: requeue.everyMs,
        due: () => `EXISTS (SELECT FROM ${table} WHERE ${this.#takeable})`,
        handle: () => this.requeue(),
      }),
    ];
  }

  /** Without Redis, the schedule finds the row. */
  async enqueue(id: string): Promise<void> {
    await this.#enqueue(id).catch(() => undefined);
  }

  async #enqueue(id: string): Promise<void> {
    await enqueueOnce(this.jobs[0], { id }, id);
  }

  async requeue(): Promise<void> {
    const { table } = this.#definition;
    const rows = await query<{ id: string }>({
      text: `
        SELECT id
        FROM ${table}
        WHERE ${this.#takeable}
        ORDER BY created_at
        LIMIT ${requeuedAtOnce}`,
      values: [],
    });
    for (const { id } of rows) await this.#enqueue(id);
  }

  /** A job may come late or twice, so check before starting a process. */
  async #handle(id: string): Promise<void> {
    const { isReady, program } = this.#definition;
    if (!(await this.#isTakeable(id)) || (isReady && !(await isReady()))) return;
    await (program ? this.#runProcess(program, id) : this.run(id));
  }

  async #isTakeable(id: string): Promise<boolean> {
    const { table } = this.#definition;
    const text = `SELECT 1 FROM ${table} WHERE id = $1 AND ${this.#takeable}`;
    return (await query({ text, values: [id] })).length > 0;
  }

  /** Ends a process that hangs, because it would keep the job of its row forever. The job runs again. */
  async #runProcess(program: URL, id: string): Promise<void> {
    const hangs = new AbortController();
    const look = async () => {
      if (await this.#isTakeable(id)) hangs.abort();
    };
    const looking = setInterval(
      () => void look().catch(() => undefined),
      this.#definition.silentSeconds * 1_000 * silencesPerLook,
    );
    try {
      await runChild(program, id, hangs.signal);
    } finally {
      clearInterval(looking);
    }
  }

  /** Does the work in this process, if the row can be taken. Safe to run twice and concurrently. */
  async run(id: string): Promise<void> {
    const row = await this.#take(id);
    if (!row) return;
    const { job, silentSeconds } = this.#definition;
    const reporting = setInterval(
      () => {
        this.#update(row).catch(() => undefined);
      },
      (silentSeconds * 1_000) / reportsPerSilence,
    );
    try {
      await this.#attempt(row);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      const { attempts: attempt } = row;
      log.error({ event: "work.interrupted", job, id, attempt, error: String(error) });
      await this.#release(row).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(reporting);
    }
  }

  async #attempt(row: Row): Promise<void> {
    const { attemptsMax = Number.POSITIVE_INFINITY, work, settle } = this.#definition;
    try {
      if ((row.attempts ?? 0) > attemptsMax) throw new AttemptsUsed("The attempts are used up");
      await work(row);
    } catch (error) {
      if (error instanceof LeaseLost || !settle) throw error;
      await settle(row, error);
    }
  }

  async #take(id: string): Promise<Row | undefined> {
    const { table, columns, states, set } = this.#definition;
    const sets = [
      `state = ${mapped(states)}`,
      "seen_at = now()",
      ...(this.#counts ? ["attempts = attempts + 1"] : []),
      ...(set ? [set] : []),
    ];
    return await query.one<Row>({
      text: `
        UPDATE ${table}
        SET ${sets.join(", ")}
        WHERE id = $1
          AND ${this.#takeable}
        RETURNING ${columns}`,
      values: [id],
    });
  }

  async #release(row: Row): Promise<void> {
    const { states } = this.#definition;
    const before = Object.fromEntries(Object.entries(states).map(([from, to]) => [to, from]));
    await this.#update(row, `state = ${mapped(before)}, seen_at = '-infinity'`);
  }

  async #update(row: Row, set = "seen_at = now()"): Promise<void> {
    const { text, values } = this.#leased(row);
    const { table } = this.#definition;
    await query({ text: `UPDATE ${table} SET ${set} WHERE ${text}`, values });
  }

  #leased({ id, state, attempts }: Row): Statement {
    return this.#counts
      ? { text: "id = $1 AND state = $2 AND attempts = $3", values: [id, state, attempts] }
      : { text: "id = $1 AND state = $2", values: [id, state] };
  }

  /** Every transaction of the work calls this first. Throws when the lease is lost. */
  async lock(tx: Connection, row: Row): Promise<void> {
    const { text, values } = this.#leased(row);
    const { table } = this.#definition;
    const locking = `SELECT 1 FROM ${table} WHERE ${text} FOR NO KEY UPDATE`;
    const rows = await tx.query({ text: locking, values });
    // defence: lost-lease-writes-nothing
    if (rows.length === 0) throw new LeaseLost();
  }

  async commit<T>(row: Row, write: (tx: Connection) => Promise<T>): Promise<T> {
    return await transaction(async (tx) => {
      await this.lock(tx, row);
      return await write(tx);
    });
  }
}

function quoted(states: readonly string[]): string {
  return states.map((state) => `'${state}'`).join(", ");
}

function mapped(states: Readonly<Record<string, string>>): string {
  const cases = Object.entries(states).map(([from, to]) => `WHEN '${from}' THEN '${to}'`);
  return `CASE state ${cases.join(" ")} ELSE state END`;
}
