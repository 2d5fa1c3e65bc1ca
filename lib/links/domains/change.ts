/** What all domain changes share: transaction with outbox and audit, failures, publication. */
import { parseHost, primaryEntry } from "#lib/links/hosts";
import { hostEntry } from "#lib/links/link-cache";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { reachesDomain } from "#lib/tenancy/reach";
import type { DomainView } from "./schema.ts";
import { brokenRule, type DomainRow, lockRow, presentDomain, reviseRow } from "./store.ts";

export interface DomainChange {
  row: DomainRow;
  entries: string[];
  /** Replaces the name in the audit log. */
  details?: Record<string, unknown>;
}

export interface ChangeAuthor {
  workspacePk: number;
  actor: string;
}

type ChangeWork<T> = (tx: Connection, revise: () => Promise<number>) => Promise<T>;

export async function changeDomain(
  scope: WorkspaceScope,
  action: AuditAction,
  host: string,
  work: ChangeWork<DomainChange>,
): Promise<DomainView> {
  const { row } = await commitChange(scope, host, async (tx, revise) => ({
    ...(await work(tx, revise)),
    action,
  }));
  return presentDomain(row);
}

/** Changes something that belongs to a domain but is not in its row. Locks the domain. */
export async function changeBesideDomain<Done>(
  scope: WorkspaceScope,
  slug: string,
  action: AuditAction,
  work: (tx: Connection, domain: DomainRow) => Promise<Done>,
): Promise<Done> {
  const { done } = await commitChange(scope, slug, async (tx, revise) => {
    const row = await lockDomain(tx, scope, slug);
    if (!reachesDomain(scope, row.pk)) throw missing(slug);
    const result = await work(tx, row);
    await reviseRow(tx, row.pk, await revise());
    return { row, entries: [hostEntry(row.slug)], action, done: result };
  });
  return done;
}

/** Like `changeDomain`, for work that chooses its own action. Without an action, nothing is audited. */
export async function commitChange<T extends DomainChange & { action: AuditAction | undefined }>(
  { workspacePk, actor }: ChangeAuthor,
  host: string,
  work: ChangeWork<T>,
): Promise<T> {
  let changes: CacheChange[] = [];
  const changed = await transaction(async (tx) => {
    let hostTaken: Promise<number> | undefined;
    // Take the revision after locking the row, so that later changes get a greater one.
    const revise = () => {
      hostTaken ??= takeRevision(tx);
      return hostTaken;
    };
    const done = await work(tx, revise);
    if (done.action === undefined) return done;
    const revision = await revise();
    changes = done.entries.map((entry) => ({ entry, revision }));
    await recordChanges(tx, changes);
    const { id, slug } = done.row;
    const { action, details = { slug } } = done;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
    return done;
  }).catch((error: unknown) => {
    // A concurrent change came first. The violated unique index tells which conflict it is.
    const rule = brokenRule(error);
    if (rule === "domain_claim") throw hostAlreadyAdded(host);
    throw rule === "domain_serving" ? hostTaken(host) : error;
  });
  await publishChanges(changes);
  return changed;
}

export function cacheEntriesOf(before: DomainRow, after: DomainRow): string[] {
  const entries = [hostEntry(before.slug), primaryEntry(after.workspace_pk)];
  return before.slug === after.slug ? entries : [...entries, hostEntry(after.slug)];
}

export async function lockDomain(tx: Connection, scope: WorkspaceScope, slug: string) {
  const row = await lockRow(tx, scope.workspacePk, storedNameOf(slug));
  if (!row) throw missing(slug);
  return row;
}

/** The stored name of a domain. Throws not_found for an invalid name. */
export function storedNameOf(slug: string): string {
  const parsed = parseHost(slug);
  if (!parsed.ok) throw missing(slug);
  return parsed.host;
}

export function missing(slug: string): AppError {
  return new AppError("not_found", `Domain "${slug}" not found in this workspace.`);
}

export function hostTaken(host: string): AppError {
  return new AppError(
    "conflict",
    `Another workspace already uses ${host}. If you own the domain, contact them.`,
  );
}

function hostAlreadyAdded(host: string): AppError {
  return new AppError("conflict", `This workspace already has the domain ${host}.`);
}
