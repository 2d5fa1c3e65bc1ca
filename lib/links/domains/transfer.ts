/**
 * Transfers a domain with its links to another workspace, all in one transaction.
 *
 * Links keep their keys, URLs and counters, so visitors notice nothing. They lose tags, folders,
 * webhooks and the key that created them. Past clicks stay in the charts of the old workspace. A
 * transfer is refused if an externalId is used in both workspaces, or if one transaction would hold
 * too many links.
 *
 * A create of the old workspace may have read the domain before the transfer and commit after it.
 * That link is deleted a minute later, as after a deletion.
 */
import { primaryEntry } from "#lib/links/hosts";
import { rootKey } from "#lib/links/keys";
import { hostEntry, targetEntry } from "#lib/links/link-cache";
import { lockLinks, moveToWorkspace, type WorkspaceMove } from "#lib/links/link-rows";
import { AppError } from "#lib/platform/errors";
import { type Connection, sql } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { takeQuota } from "#lib/tenancy/quotas";
import { listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import { changeDomain, lockDomain, storedNameOf } from "./change.ts";
import { clearingDelaySeconds, endClearing, scheduleClearing } from "./domain-links.ts";
import type { DomainView } from "./schema.ts";
import { countRows, type DomainRow, domainsMax } from "./store.ts";

const movedLinksMax = 10_000;

export async function transferDomain(
  scope: WorkspaceScope,
  slug: string,
  workspaceId: string,
): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const { userPk } = scope;
  if (scope.apiKeyPk !== null || userPk === null) {
    throw new AppError(
      "forbidden",
      "Domains can only be transferred in the dashboard, not with an API key.",
    );
  }
  const host = storedNameOf(slug);
  const target = await openTarget(scope, workspaceId);
  assertMay(target, "domains.write");
  const [from, to] = [scope.workspacePk, target.workspacePk];
  return await changeDomain(scope, "domain.transfer", host, async (tx, revise) => {
    // Lock in the order of the pks, so that two opposite transfers cannot deadlock.
    for (const pk of [from, to].toSorted((a, b) => a - b)) await lockWorkspace(tx, pk);
    const before = await lockDomain(tx, scope, slug);
    await assertRoom(tx, target);
    const move: WorkspaceMove = { domainPk: before.pk, from, to, userPk, revision: await revise() };
    // The domain may have been in that workspace a minute ago.
    await endClearing(tx, before.pk, to);
    const links = await moveLinks(tx, move);
    const row = await moveRow(tx, before, move);
    await scheduleClearing(tx, before, clearingDelaySeconds);
    const details = {
      slug: before.slug,
      links: countOf(links),
      from: scope.workspaceId,
      to: workspaceId,
    };
    const action = "domain.transfer" as const;
    const entry = { actor: scope.actor, action, subject: before.id, details };
    await recordAudit(tx, [{ ...entry, workspacePk: to }]);
    const targets = links.map(({ key }) => targetEntry(before.pk, key));
    return { row, entries: [hostEntry(before.slug), primaryEntry(from), ...targets], details };
  });
}

async function openTarget(scope: WorkspaceScope, workspaceId: string): Promise<WorkspaceScope> {
  if (workspaceId === scope.workspaceId) {
    throw new AppError(
      "unprocessable_entity",
      "workspaceId: The domain is already in this workspace.",
    );
  }
  const userId = String(scope.userId);
  const found = (await listWorkspaces(userId)).find(({ id }) => id === workspaceId);
  // defence: transfer-within-session
  const target = found && (await openWorkspace(userId, found.slug, scope.sessionId));
  if (target) return target;
  throw new AppError("not_found", `Workspace "${workspaceId}" not found.`);
}

async function assertRoom(tx: Connection, target: WorkspaceScope): Promise<void> {
  if ((await countRows(tx, target.workspacePk)) >= domainsMax) {
    const message = `The target workspace already has ${domainsMax} domains. Delete one there first.`;
    throw new AppError("forbidden", message);
  }
  const quota = await takeQuota(tx, target, "domains", 1);
  if (!quota.ok) throw new AppError("forbidden", quota.message);
}

function countOf(links: readonly MovedLink[]): number {
  return links.filter(({ key }) => key !== rootKey).length;
}

async function moveLinks(tx: Connection, move: WorkspaceMove) {
  // The root link of the domain moves along and does not count.
  const links = await lockMoved(tx, move, movedLinksMax + 2);
  if (countOf(links) > movedLinksMax) {
    throw new AppError(
      "conflict",
      `A domain with more than ${movedLinksMax} links can’t be transferred. Move or delete some links first.`,
    );
  }
  const shared = await findSharedExternalId(tx, move);
  if (shared !== undefined) {
    throw new AppError(
      "conflict",
      `Both workspaces have a link with the externalId "${shared}". Change one of them first.`,
    );
  }
  const pks = links.map(({ pk }) => pk);
  await moveToWorkspace(tx, pks, move);
  return links;
}

interface MovedLink {
  pk: number;
  key: string;
}

async function lockMoved(tx: Connection, { domainPk, from }: WorkspaceMove, max: number) {
  // Answered by link_workspace.
  const first = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE workspace_pk = ${from}
      AND domain_pk = ${domainPk}
    LIMIT ${max}`);
  const pks = first.map(({ pk }) => pk);
  const locked = await lockLinks(tx, pks, "update");
  // Answered by link_pkey.
  return await tx.query<MovedLink>(sql`
    SELECT pk, key
    FROM link
    WHERE pk = ANY(${locked}::bigint[])
      AND workspace_pk = ${from}
      AND domain_pk = ${domainPk}`);
}

/** An externalId that a link of the domain and a link of the new workspace both use. */
async function findSharedExternalId(tx: Connection, { from, to, domainPk }: WorkspaceMove) {
  // Answered by link_workspace.
  const mine = await tx.query<{ external_id: string }>(sql`
    SELECT external_id
    FROM link
    WHERE workspace_pk = ${from}
      AND domain_pk = ${domainPk}
      AND external_id IS NOT NULL`);
  // Answered by link_external.
  const [row] = await tx.query<{ external_id: string }>(sql`
    SELECT external_id
    FROM link
    WHERE workspace_pk = ${to}
      AND external_id = ANY(${mine.map(({ external_id }) => external_id)}::text[])
    LIMIT 1`);
  return row?.external_id;
}

async function moveRow(
  tx: Connection,
  before: DomainRow,
  { to, revision }: WorkspaceMove,
): Promise<DomainRow> {
  const [row] = await tx.query<{ updated_at: Date }>(sql`
    UPDATE domain
    SET workspace_pk = ${to},
      "primary" = false,
      revision = ${revision},
      updated_at = now()
    WHERE pk = ${before.pk}
    RETURNING updated_at`);
  if (!row) throw new Error("The locked row doesn’t exist");
  return { ...before, workspace_pk: to, primary: false, updated_at: row.updated_at };
}
