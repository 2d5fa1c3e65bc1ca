/**
 * Reads the sources of lists. Workers take due lists in batches.
 *
 *     read ────────▶ its entries replace those of the last read
 *     unreachable ─▶ the last good entries stay, also after a restart
 *     malformed ───▶ a block list keeps its last good entries, because an empty one would allow
 *                    everything; an allow list loses its source’s entries until it is repaired
 */
import { z } from "zod";
import { listsEntry, publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { fixedSource } from "./memory.ts";
import { type InstanceListKind, instanceListKinds, problemMessage } from "./schema.ts";
import { readSource, type SourceRead } from "./source.ts";
import {
  createLists,
  findLists,
  isDueAfter,
  type ListRow,
  lockList,
  takeDueLists,
  updateContent,
  updateState,
} from "./store.ts";

const pollEveryMs = 2_000;
const batchMax = 20;
const runMsMax = 60_000;

export async function pollDueSources(): Promise<number> {
  const fixed = instanceListKinds.filter((kind) => fixedSource(kind) !== undefined);
  if (fixed.length > 0) await createLists(null, fixed);
  const endsAt = Date.now() + runMsMax;
  let polled = 0;
  while (Date.now() < endsAt) {
    const due = await takeDueLists(config().FUXI_DESTINATIONS_POLL_SECONDS, batchMax);
    await Promise.all(due.map(pollRow));
    polled += due.length;
    if (due.length < batchMax) break;
  }
  return polled;
}

export async function pollRow(row: ListRow): Promise<void> {
  const source = sourceOf(row);
  if (source === null) return;
  const known = row.read_from === source ? row.etag : null;
  const read = await readSource(source, known);
  if ("problem" in read) {
    const { workspace_pk: workspacePk, kind } = row;
    const { code, params } = read.problem;
    log.warn({ event: `destinations.${read.state}`, workspacePk, kind, code, ...params });
  }
  const isBroken = await changeLists(row.workspace_pk, async (tx, revise) => {
    const now = await lockList(tx, row.workspace_pk, row.kind);
    // Someone chose another source meanwhile.
    if (sourceOf(now) !== source) return false;
    await storeRead(tx, now, source, read, revise);
    return "problem" in read && now.problem === null;
  });
  // Admins of a workspace see the problem on their page.
  if (isBroken && row.workspace_pk === null) await enqueue(warnListsJob, { kind: row.kind });
}

/** Limits the reads that people request; null for administrators. */
export async function takePollTurn(workspacePk: number | null): Promise<void> {
  const attempt = await tryLimit("destinationPollPerWorkspace", String(workspacePk));
  if (attempt.ok) return;
  const message = "Too many source checks. Try again in a moment.";
  throw new AppError("rate_limit_exceeded", message, attempt);
}

/** The instance’s source comes from a setting. */
function sourceOf({ workspace_pk, kind, source }: ListRow): string | null {
  return workspace_pk === null ? (fixedSource(kind) ?? null) : source;
}

/** Takes a revision. Called if links have to be checked against something new. */
export type Revise = () => Promise<number>;

/** Changes the lists of an owner. Every process uses the change within a second. */
export async function changeLists<T>(
  workspacePk: number | null,
  work: (tx: Connection, revise: Revise) => Promise<T>,
): Promise<T> {
  let revision: number | undefined;
  const entry = listsEntry(workspacePk);
  const done = await transaction(async (tx) => {
    const result = await work(tx, async () => {
      revision ??= await takeRevision(tx);
      return revision;
    });
    if (revision !== undefined) await recordChanges(tx, [{ entry, revision }]);
    return result;
  });
  if (revision !== undefined) await publishChanges([{ entry, revision }]);
  return done;
}

/** Stores the answer of a source. The list must be locked. */
export async function storeRead(
  tx: Connection,
  row: Pick<ListRow, "pk" | "kind" | "etag">,
  from: string,
  read: SourceRead,
  revise: Revise,
): Promise<void> {
  const entries = entriesAfter(row.kind, read);
  if (entries) await updateContent(tx, row.pk, entries, await revise());
  await updateState(tx, row.pk, {
    from,
    etag: etagAfter(row, entries, read),
    problem: "problem" in read ? read.problem : null,
  });
}

/** Undefined: the last good entries stay. */
function entriesAfter(kind: InstanceListKind, read: SourceRead): readonly string[] | undefined {
  if (read.state === "read") return read.entries;
  // defence: malformed-block-list
  return read.state === "malformed" && kind === "allow" ? [] : undefined;
}

/** The version of the stored entries, or null if they have none. */
function etagAfter(
  { etag }: Pick<ListRow, "etag">,
  entries: readonly string[] | undefined,
  read: SourceRead,
): string | null {
  if (read.state === "read") return read.etag;
  return entries ? null : etag;
}

export const pollDestinationsJob = defineJob({
  name: "destinations.poll",
  schema: z.object({}),
  handle: () => pollDueSources(),
  everyMs: pollEveryMs,
  due: () => `EXISTS (
    SELECT
    FROM destination_list
    WHERE ${isDueAfter(String(config().FUXI_DESTINATIONS_POLL_SECONDS))})`,
});

/** Emails administrators when the source of an instance’s list starts to fail. */
export const warnListsJob = defineJob({
  name: "destinations.warn",
  schema: z.object({ kind: z.enum(instanceListKinds) }),
  // Run twice, it sends two emails. If the list was repaired meanwhile, it sends none.
  handle: async ({ kind }) => {
    const list = (await findLists(null)).find((one) => one.kind === kind);
    if (!list?.problem) return;
    const values = {
      address: `${config().FUXI_URL}/admin/lists`,
      list: kind,
      problem: problemMessage(list.problem),
    };
    // SQL, because imports load this room and must not load Prisma. Answered by app_user_operator.
    const operators = await query<{ email: string; locale: string | null }>(
      sql`SELECT email, locale FROM app_user WHERE operator AND email_proven_at IS NOT NULL`,
    );
    for (const { email, locale } of operators) {
      await sendEmail({ email, locale: locale ?? "en" }, "listFailing", values);
    }
  },
});
