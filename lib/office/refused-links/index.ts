/**
 * Links of all workspaces that the lists of the instance would refuse now. They continue to work, because visits check
 * no list, until they are turned off here: by a job, which walks through all links.
 *
 * A call checks a limited number of links and says where to continue. A step of the job is one transaction: the links,
 * their audit entries and its position, so that after a crash it continues where it was.
 */
import { z } from "zod";
import { newId, presentId } from "#lib/basics/ids";
import { loadInstanceRules } from "#lib/destinations/lists";
import { disableLinks } from "#lib/links/editing";
import { shortUrl } from "#lib/links/hosts";
import { findRefusal } from "#lib/links/refused-links";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { seal, unseal } from "#lib/platform/sealing";
import { recordAudit } from "#lib/tenancy/audit";
import { auditLooks, type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import {
  type DisableRefused,
  type RefusedJob,
  type RefusedLink,
  type RefusedLinks,
  type RefusedQuery,
  refusedMax,
} from "./schema.ts";
import {
  findLatestJob,
  findWorkspacePk,
  insertJob,
  type JobRow,
  lastUuid,
  lockOpenJob,
  type Position,
  storeStep,
  type WalkedLink,
  walkLinks,
} from "./store.ts";

/** Links read at once, and changed in one transaction. */
const stepLinks = 500;
/** Links per call: about a second. */
const checkedMax = 20_000;
const jobEveryMs = 2_000;
const cursorPurpose = "fuxi refused links";

type Rules = Awaited<ReturnType<typeof loadInstanceRules>>;

/** The next refused links. Each workspace of them gets an entry in its audit log. */
export async function listRefused(
  operator: OperatorScope,
  { workspace, startingAfter }: RefusedQuery,
): Promise<RefusedLinks> {
  const only = workspace === undefined ? undefined : await getWorkspacePk(workspace);
  const rules = await loadInstanceRules();
  const found: FoundLinks = { links: [], workspacePks: [], checked: 0 };
  let next: Position | undefined = readCursor(startingAfter, only);
  while (next && found.checked < checkedMax && found.links.length < refusedMax) {
    const rows: WalkedLink[] = await walkLinks(next, only !== undefined, stepLinks);
    const last = addRefused(found, rows, rules);
    // After a full page, the rest of the step is read again.
    next = last || rows.length === stepLinks ? positionOf(last ?? rows.at(-1)) : undefined;
  }
  const { links, workspacePks, checked } = found;
  if (links.length > 0) {
    await auditLooks(operator, workspacePks, { details: { viewed: "refused_links" } });
  }
  return { links, checked, next: next ? writeCursor(next) : null };
}

interface FoundLinks {
  links: RefusedLink[];
  /** Of these links. */
  workspacePks: number[];
  checked: number;
}

/** Adds the refused ones of the rows. Returns the row that filled the page. */
function addRefused(
  found: FoundLinks,
  rows: readonly WalkedLink[],
  rules: Rules,
): WalkedLink | undefined {
  for (const row of rows) {
    found.checked += 1;
    const link = presentRefused(row, rules);
    if (!link) continue;
    found.links.push(link);
    found.workspacePks.push(row.workspace_pk);
    if (found.links.length === refusedMax) return row;
  }
  return undefined;
}

function presentRefused(row: WalkedLink, rules: Rules): RefusedLink | undefined {
  const details = row.stopped ? undefined : findRefusal(row, rules);
  if (!details) return undefined;
  return {
    id: presentId("link", row.id),
    shortLink: shortUrl(row.slug, row.key),
    host: String(details["host"]),
    list: details["list"] === "block" ? "block" : "allow",
    workspace: { id: row.workspace_id, name: row.workspace_name, slug: row.workspace_slug },
  };
}

async function getWorkspacePk(name: string): Promise<number> {
  const pk = await findWorkspacePk(name);
  if (pk === undefined) {
    throw new AppError("not_found", "Workspace not found. Check its ID or slug.");
  }
  return pk;
}

function positionOf(row: WalkedLink | undefined): Position | undefined {
  return row && { workspacePk: row.workspace_pk, id: row.id };
}

/** Sealed: the number of a workspace stays inside, and only positions that were given out come back. */
function writeCursor({ workspacePk, id }: Position): string {
  return seal(cursorPurpose, Buffer.from(`${workspacePk}:${id}`)).toString("base64url");
}

function openCursor(text: string): string | undefined {
  try {
    return unseal(cursorPurpose, Buffer.from(text, "base64url")).toString();
  } catch (error) {
    // Of another instance, of before a change of its secret, or of nobody.
    log.debug({ event: "cursor.refused", error: String(error) });
    return undefined;
  }
}

function readCursor(text: string | undefined, only: number | undefined): Position {
  if (text === undefined) return { workspacePk: only ?? 0, id: lastUuid };
  const [pk, id] = openCursor(text)?.split(":") ?? [];
  if (pk === undefined || id === undefined || (only !== undefined && Number(pk) !== only)) {
    throw new AppError("unprocessable_entity", "startingAfter: Use `next` of the previous call.");
  }
  return { workspacePk: Number(pk), id };
}

/** Starts to turn off all links that the lists of the instance refuse. Throws a 409 while another job runs. */
export async function disableRefused(
  operator: OperatorScope,
  { workspace, reason }: DisableRefused,
): Promise<RefusedJob> {
  const workspacePk = workspace ? await getWorkspacePk(workspace) : null;
  const id = newId("job");
  await transaction(async (tx) => {
    const { actor } = operator;
    if (!(await insertJob(tx, { id, workspace_pk: workspacePk, actor, reason }))) {
      const message = "Links are already being turned off. Wait until that’s done.";
      throw new AppError("conflict", message, { problem: "refused_job_open" });
    }
    const entry = { workspacePk, action: "operator.disable_links", subject: id } as const;
    const name = workspace || new URL(config().FUXI_URL).host;
    await recordOperation(tx, operator, { ...entry, reason, details: { name } });
  });
  const job = await findRefusedJob(operator);
  if (!job) throw new Error("The job was just stored");
  return job;
}

/** The latest job; undefined: there was none for weeks. */
export async function findRefusedJob(_: OperatorScope): Promise<RefusedJob | undefined> {
  const row = await findLatestJob();
  return (
    row && {
      id: row.id,
      state: row.finished_at === null ? "running" : "done",
      workspaceId: row.workspace_id,
      checked: row.checked,
      disabled: row.disabled,
      createdAt: row.created_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
    }
  );
}

/** Runs the open job to its end. Several workers take turns, each from the stored position. */
async function runSteps(): Promise<void> {
  for (;;) {
    const rules = await loadInstanceRules();
    const changes: CacheChange[] = [];
    const isOpen = await transaction(async (tx) => {
      const job = await lockOpenJob(tx);
      if (!job) return false;
      const position = { workspacePk: job.cursor_workspace_pk, id: job.cursor_id };
      const rows = await walkLinks(position, job.workspace_pk !== null, stepLinks, tx);
      const disabled = await disableStep(tx, job, { rows, rules, changes });
      const last = rows.length === stepLinks ? positionOf(rows.at(-1)) : undefined;
      await storeStep(tx, job.id, {
        checked: rows.length,
        disabled,
        ...(last ? { position: last } : {}),
      });
      return last !== undefined;
    });
    await publishChanges(changes);
    if (!isOpen) return;
  }
}

interface Step {
  rows: readonly WalkedLink[];
  rules: Rules;
  /** Filled with what is published after the commit. */
  changes: CacheChange[];
}

/** Turns the refused links of a step off, workspace by workspace. */
async function disableStep(
  tx: Connection,
  { id: subject, actor, reason }: JobRow,
  { rows, rules, changes }: Step,
): Promise<number> {
  const refused = new Map<number, WalkedLink[]>();
  for (const row of rows) {
    if (!presentRefused(row, rules)) continue;
    refused.set(row.workspace_pk, [...(refused.get(row.workspace_pk) ?? []), row]);
  }
  let disabled = 0;
  for (const [workspacePk, links] of refused) {
    const ids = links.map(({ id }) => id);
    const done = await disableLinks(
      tx,
      { workspacePk, actor },
      ids,
      // Someone may have edited it since it was read.
      (row) => findRefusal(row, rules) !== undefined,
    );
    disabled += done.count;
    changes.push(...done.changes);
    if (done.count === 0) continue;
    const details = { reason, name: links[0]?.workspace_name, count: done.count };
    const action = "operator.disable_links" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject, details }]);
  }
  return disabled;
}

/** Looks for an open job. */
export const refusedJob = defineJob({
  name: "links.disable-refused",
  schema: z.object({}),
  everyMs: jobEveryMs,
  handle: runSteps,
});
