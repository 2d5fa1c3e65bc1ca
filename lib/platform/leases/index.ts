/**
 * Long work that survives its worker. A piece of work is a row, and its state is in Postgres. The job in Redis, whose id
 * is that of the row, only wakes a worker.
 *
 *     waiting ──take──▶ running ──the work ends it──▶ done, failed, …
 *        ▲               │  │ ▲
 *        └────release────┘  └─┘ taken again: its worker was silent for `silentSeconds`
 *
 * - take: the worker gets the row and a lease on it, which is the number of this attempt.
 * - lock: every transaction of the work locks the row, and checks the lease. It is lost once another worker has taken the
 *   row, or a person has paused or canceled the work. Then the attempt ends and writes nothing more.
 * - report: while the work runs, the row is marked as alive several times per `silentSeconds`.
 * - release: when the work throws, the row waits again. `settle` ends what cannot succeed, also after the last attempt.
 * - requeue: a schedule enqueues each row that could be taken, because it was released, its worker died, or Redis lost its
 *   job. As a row has one job, nothing piles up behind busy workers.
 *
 * The work is safe to run twice, also at once: a worker that was taken for dead may only be slow.
 */
import { z } from "zod";
import { log } from "#lib/platform/log";
import { type Connection, query, type Statement, transaction } from "#lib/platform/postgres";
import { runChild } from "#lib/platform/processes";
import { defineJob, enqueueOnce, type JobDefinition } from "#lib/platform/queue";

/** Newer rows are enqueued when these have been taken. */
const requeuedAtOnce = 100;
const reportsPerSilence = 5;
/** A process is looked at so rarely that a slow start does not count as hanging. */
const silencesPerLook = 30;

export interface LeasedRow {
  id: string;
  state: string;
  /** Left out where the table does not count them. */
  attempts?: number;
}

export interface WorkDefinition<Row extends LeasedRow> {
  /** The job that does one piece of work. */
  job: string;
  /** Pieces that one process does at once. */
  concurrency?: number;
  requeue: { job: string; everyMs: number };
  /** Has `id`, `state`, `seen_at` and `created_at`. A partial index of its open states serves the schedule. */
  table: string;
  /** Of `Row`. */
  columns: string;
  /** The state of a row that waits → its state while a worker has it. One that stays the same waits with an old `seen_at`. */
  states: Readonly<Record<string, string>>;
  /** What taking a row sets besides. */
  set?: string;
  /** Rows that may be taken. */
  only?: string;
  /** A worker that did not report for this long has died. */
  silentSeconds: number;
  /**
   * Left out: the table has no `attempts`. Then the work never fails finally, and workers that have the same row cannot
   * tell who has the lease.
   */
  attemptsMax?: number;
  /** While it is false, rows are not even taken: only attempts are counted. */
  isReady?: () => Promise<boolean>;
  /** Runs each piece in a process of its own, which calls `run`. */
  program?: URL;
  work: (row: Row) => Promise<void>;
  /** Ends work that cannot succeed, or throws: then the row is released. */
  settle?: (row: Row, error: unknown) => Promise<void>;
}

/** The row was taken by another worker, or a person has ended the work. */
class LeaseLost extends Error {}

/** The workers of this work died, or released it, as often as is allowed. */
export class AttemptsUsed extends Error {}

const payload = z.object({ id: z.string() });

/** The work of one table. */
export class LeasedWork<Row extends LeasedRow> {
  /** For a worker: the work, and its schedule. */
  readonly jobs: readonly [
    JobDefinition<typeof payload>,
    JobDefinition<z.ZodObject<Record<never, never>>>,
  ];
  readonly #definition: WorkDefinition<Row>;
  readonly #takeable: string;
  readonly #counts: boolean;

  constructor(definition: WorkDefinition<Row>) {
    const { job: name, concurrency = 1, requeue, silentSeconds, states, only } = definition;
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
        handle: () => this.requeue(),
      }),
    ];
  }

  /** Wakes a worker. Without Redis, the schedule finds the row. */
  async enqueue(id: string): Promise<void> {
    await this.#enqueue(id).catch(() => undefined);
  }

  async #enqueue(id: string): Promise<void> {
    await enqueueOnce(this.jobs[0], { id }, id);
  }

  /** Enqueues the rows that could be taken and have no job. */
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

  /** A job may come late, or twice from an older release: no process starts only to end. */
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

  /** A process that hangs would keep the job of its row for ever: it is killed, and the job runs again. */
  async #runProcess(program: URL, id: string): Promise<void> {
    const hangs = new AbortController();
    const look = async () => {
      if (await this.#isTakeable(id)) hangs.abort();
    };
    const looking = setInterval(
      () => void look().catch(() => undefined), // Postgres is unavailable, which it reports itself
      this.#definition.silentSeconds * 1_000 * silencesPerLook,
    );
    try {
      await runChild(program, id, hangs.signal);
    } finally {
      clearInterval(looking);
    }
  }

  /** Works in this process, if the row can be taken. Safe to run twice and concurrently. */
  async run(id: string): Promise<void> {
    const row = await this.#take(id);
    if (!row) return;
    const { job, silentSeconds } = this.#definition;
    const reporting = setInterval(
      () => {
        this.#update(row).catch(() => undefined); // the next report replaces it
      },
      (silentSeconds * 1_000) / reportsPerSilence,
    );
    try {
      await this.#attempt(row);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      const { attempts: attempt } = row;
      log.error({ event: "work.interrupted", job, id, attempt, error: String(error) });
      await this.#release(row).catch(() => undefined); // it is taken once it is silent
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
      // Answered by the unique index of the id.
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

  /** Only with the lease. */
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

  /** Every transaction of the work begins with it. Ends the attempt when the lease is lost. */
  async lock(tx: Connection, row: Row): Promise<void> {
    const { text, values } = this.#leased(row);
    const { table } = this.#definition;
    const locking = `SELECT 1 FROM ${table} WHERE ${text} FOR NO KEY UPDATE`;
    const rows = await tx.query({ text: locking, values });
    // defence: lost-lease-writes-nothing
    if (rows.length === 0) throw new LeaseLost();
  }

  /** A transaction of the work. */
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
