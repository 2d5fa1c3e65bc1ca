/**
 * No index on links starts with the domain, because every create would pay for it. These rare
 * queries scan the workspace.
 */

import { z } from "zod";
import { rootKey } from "#lib/links/keys";
import { deleteLinks, listNewest } from "#lib/links/link-rows";
import { recordLinkEvents } from "#lib/links/presenting";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";

interface DomainKey {
  pk: number;
  workspace_pk: number;
}

export async function hasLinks(tx: Connection, domain: DomainKey): Promise<boolean> {
  // Answered by alias_pkey for chosen names, and by link_workspace for codes.
  return await tx.any(sql`
    SELECT 1
    WHERE EXISTS (SELECT 1 FROM alias WHERE domain_pk = ${domain.pk} AND key <> ${rootKey})
      OR EXISTS (
        SELECT 1
        FROM link
        WHERE workspace_pk = ${domain.workspace_pk}
          AND domain_pk = ${domain.pk}
          AND key <> ${rootKey}
      )`);
}

const foldedKeysMax = 10_000;

/** Whether a domain has no generated codes, and no two keys that differ only in case. */
export async function isFolded(tx: Connection, domain: DomainKey): Promise<boolean> {
  // Answered by link_workspace.
  const codes = await tx.query(sql`
    SELECT 1
    FROM link
    WHERE workspace_pk = ${domain.workspace_pk}
      AND domain_pk = ${domain.pk}
      AND NOT alias
    LIMIT 1`);
  if (codes.length > 0) return false;
  // Answered by alias_pkey. With more keys the check is too expensive, so it fails.
  const names = await tx.query<{ key: string }>(sql`
    SELECT key
    FROM alias
    WHERE domain_pk = ${domain.pk}
      AND key <> ${rootKey}
    LIMIT ${foldedKeysMax + 1}`);
  if (names.length > foldedKeysMax) return false;
  return names.every(({ key }) => key === key.toLowerCase().normalize("NFC"));
}

export async function scheduleClearing(tx: Connection, domain: DomainKey, dueSeconds: number) {
  await tx.query(sql`
    INSERT INTO domain_clearing (domain_pk, workspace_pk, due_at)
    VALUES (
      ${domain.pk},
      ${domain.workspace_pk},
      now() + ${dueSeconds} * interval '1 second'
    )`);
}

export interface Clearing {
  domain_pk: number;
  workspace_pk: number;
  after_id: string | null;
}

function takeClearing(tx: Connection) {
  // One row per domain deleted in the last minutes: no index.
  return tx.one<Clearing>(sql`
    SELECT domain_pk, workspace_pk, after_id
    FROM domain_clearing
    WHERE due_at <= now()
    ORDER BY due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED`);
}

/** Deletes the next links of the domain. Returns the last id, or undefined at the end. */
async function clearNext(
  tx: Connection,
  { domain_pk: domainPk, workspace_pk: workspacePk, after_id: afterId }: Clearing,
  max: number,
): Promise<string | undefined> {
  const links = await listNewest(tx, workspacePk, afterId, max);
  const pks = links.flatMap(({ pk, domain_pk }) => (domain_pk === domainPk ? [pk] : []));
  await recordLinkEvents(tx, workspacePk, "link.deleted", pks);
  await deleteLinks(tx, pks, { workspacePk, domainPk });
  return links.length === max ? links.at(-1)?.id : undefined;
}

async function savePosition(
  tx: Connection,
  { domain_pk, workspace_pk }: Clearing,
  afterId: string,
): Promise<void> {
  await tx.query(sql`
    UPDATE domain_clearing
    SET after_id = ${afterId}
    WHERE domain_pk = ${domain_pk}
      AND workspace_pk = ${workspace_pk}`);
}

/** Cancels the deletion of a domain’s links in a workspace. */
export async function endClearing(tx: Connection, domainPk: number, workspacePk: number) {
  await tx.query(sql`
    DELETE FROM domain_clearing
    WHERE domain_pk = ${domainPk}
      AND workspace_pk = ${workspacePk}`);
}

/**
 * A worker deletes the links of deleted domains in small transactions, which do not block others. Visits and lists have ignored
 * these links since the row of the domain was deleted. It starts a minute later, when every create that read the domain before
 * its deletion has committed. A transferred domain took its links along; links that the old workspace created at that moment are
 * deleted the same way.
 */
export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 5_000;
const stepsMax = 2_000;

export async function clearDomains(size = linksPerStep): Promise<number> {
  for (let step = 0; step < stepsMax; step++) {
    if (!(await clearStep(size))) return step;
  }
  return stepsMax;
}

function clearStep(size: number): Promise<boolean> {
  return transaction(async (tx) => {
    const clearing = await takeClearing(tx);
    if (!clearing) return false;
    const last = await clearNext(tx, clearing, size);
    if (last === undefined) await endClearing(tx, clearing.domain_pk, clearing.workspace_pk);
    else await savePosition(tx, clearing, last);
    return true;
  });
}

export const clearDomainsJob = defineJob({
  name: "domains.clear",
  schema: z.object({}),
  handle: () => clearDomains(),
  everyMs: clearEveryMs,
});
