/** The common part of domain changes: transaction with outbox and audit, failures, publication. */
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
import { brokenRule, type DomainRow, lockRow, reviseRow } from "./store.ts";
import { presentDomain } from "./values.ts";

export interface DomainChange {
  row: DomainRow;
  /** Cache entries that the change invalidates. */
  entries: string[];
  /** For the audit log, instead of the name alone. */
  details?: Record<string, unknown>;
}

/** On whose behalf a change is made. */
export interface ChangeAuthor {
  workspacePk: number;
  actor: string;
}

type ChangeWork<T> = (tx: Connection, revise: () => Promise<number>) => Promise<T>;

/** One change of a domain: its transaction with the outbox and the audit, then the publication. */
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

/** A change of what belongs to a domain, and is not in its row. The domain is locked, and every process sees the change. */
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

/** The same for work that determines its action itself. Without an action, nothing to audit was changed. */
export async function commitChange<T extends DomainChange & { action: AuditAction | undefined }>(
  { workspacePk, actor }: ChangeAuthor,
  host: string,
  work: ChangeWork<T>,
): Promise<T> {
  let changes: CacheChange[] = [];
  const changed = await transaction(async (tx) => {
    let hostTaken: Promise<number> | undefined;
    // Taken once the row is locked: later changes get a greater one.
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
    // A concurrent change violated a unique index, which identifies the conflict.
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

export async function lockDomain(
  tx: Connection,
  scope: WorkspaceScope,
  slug: string,
): Promise<DomainRow> {
  const row = await lockRow(tx, scope.workspacePk, storedNameOf(slug));
  if (!row) throw missing(slug);
  return row;
}

/** The name under which a domain would be stored; an invalid name belongs to no workspace. */
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
