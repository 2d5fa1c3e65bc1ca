/**
 * Links of all workspaces that the lists of the instance would refuse now. They keep working until a
 * job turns them off, because visits check no list. A call checks a limited number of links and says
 * where to continue. A step of the job is one transaction with the links, their audit entries and
 * its position, so that it continues where it was after a crash.
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

const stepLinks = 500;
const checkedMax = 20_000;
const jobEveryMs = 2_000;
const cursorPurpose = "fuxi refused links";

type Rules = Awaited<ReturnType<typeof loadInstanceRules>>;

/** Returns the next refused links. Adds an entry to the audit log of each of their workspaces. */
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
  workspacePks: number[];
  checked: number;
}

/** Adds the refused links among the rows. Returns the row that filled the page. */
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

/** Sealed, so that nobody can read the pk of a workspace or invent a position. */
function writeCursor({ workspacePk, id }: Position): string {
  return seal(cursorPurpose, Buffer.from(`${workspacePk}:${id}`)).toString("base64url");
}

function openCursor(text: string): string | undefined {
  try {
    return unseal(cursorPurpose, Buffer.from(text, "base64url")).toString();
  } catch (error) {
    // Another instance made it, the secret has changed, or it is made up.
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

/** Starts a job for all refused links. Throws a 409 while another one runs. */
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

/** Returns the latest job; undefined if there was none for weeks. */
export async function findRefusedJob(_: OperatorScope): Promise<RefusedJob | undefined> {
  const row = await findLatestJob();
  if (!row) return undefined;
  return {
    id: row.id,
    state: row.finished_at === null ? "running" : "done",
    workspaceId: row.workspace_id,
    checked: row.checked,
    disabled: row.disabled,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

async function runSteps(): Promise<void> {
  for (;;) {
    const rules = await loadInstanceRules();
    const changes: CacheChange[] = [];
    const isOpen = await transaction(async (tx) => {
      const job = await lockOpenJob(tx);
      if (!job) return false;
      const start = { workspacePk: job.cursor_workspace_pk, id: job.cursor_id };
      const rows = await walkLinks(start, job.workspace_pk !== null, stepLinks, tx);
      const disabled = await disableStep(tx, job, { rows, rules, changes });
      const last = rows.length === stepLinks ? positionOf(rows.at(-1)) : undefined;
      const position = last && { position: last };
      await storeStep(tx, job.id, { checked: rows.length, disabled, ...position });
      return last !== undefined;
    });
    await publishChanges(changes);
    if (!isOpen) return;
  }
}

interface Step {
  rows: readonly WalkedLink[];
  rules: Rules;
  changes: CacheChange[];
}

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
  // Someone may have edited it since it was read.
  const isRefused = (row: Parameters<typeof findRefusal>[0]) =>
    findRefusal(row, rules) !== undefined;
  for (const [workspacePk, links] of refused) {
    const ids = links.map(({ id }) => id);
    const done = await disableLinks(tx, { workspacePk, actor }, ids, isRefused);
    disabled += done.count;
    changes.push(...done.changes);
    if (done.count === 0) continue;
    const details = { reason, name: links[0]?.workspace_name, count: done.count };
    const action = "operator.disable_links" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject, details }]);
  }
  return disabled;
}

export const refusedJob = defineJob({
  name: "links.disable-refused",
  schema: z.object({}),
  everyMs: jobEveryMs,
  due: () => "EXISTS (SELECT FROM refused_job WHERE finished_at IS NULL)",
  handle: runSteps,
});
