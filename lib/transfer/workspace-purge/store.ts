/** The SQL of purging a workspace. */

import { type DeletedLink, deleteLinks, listNewest } from "#lib/links/link-rows";
import { dropEras } from "#lib/links/search";
import { type Connection, sql } from "#lib/platform/postgres";

export interface Removal {
  pk: number;
  id: string;
  begun: boolean;
}

/** Locks a workspace after its grace period against other workers and restores. */
export async function takeRemoval(tx: Connection, days: number): Promise<Removal | undefined> {
  // Answered by workspace_deleted.
  return await tx.one<Removal>(sql`
    SELECT pk, id, removing_at IS NOT NULL AS begun
    FROM workspace
    WHERE deleted_at <= now() - ${days} * interval '1 day'
    ORDER BY deleted_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED`);
}

export async function markRemoving(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`UPDATE workspace SET removing_at = now() WHERE pk = ${pk}`);
}

/** Adds the same row as the trigger on workspaces. Otherwise each deleted link would add one. */
export async function scheduleErasure(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`INSERT INTO analytics.erasure (workspace_pk) VALUES (${pk})`);
}

export async function deleteDomains(tx: Connection, pk: number): Promise<string[]> {
  // Answered by domain_claim.
  const rows = await tx.query<{ slug: string }>(sql`
    DELETE FROM domain
    WHERE workspace_pk = ${pk}
    RETURNING slug`);
  return rows.map(({ slug }) => slug);
}

/** Returns the deleted links whose domain still exists, which is the instance’s. */
export async function deleteLinkBatch(
  tx: Connection,
  workspacePk: number,
  max: number,
): Promise<{ left: boolean; served: DeletedLink[] }> {
  const links = await listNewest(tx, workspacePk, null, max);
  const pks = links.map(({ pk }) => pk);
  const deleted = await deleteLinks(tx, pks, { workspacePk });
  const domainPks = [...new Set(deleted.map(({ domain_pk }) => domain_pk))];
  // Answered by domain_pkey.
  const rows = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM domain WHERE pk = ANY(${domainPks}::int[])`,
  );
  const there = new Set(rows.map(({ pk }) => pk));
  return { left: links.length > 0, served: deleted.filter((link) => there.has(link.domain_pk)) };
}

export async function deleteRecipients(tx: Connection, pk: number, max: number): Promise<number> {
  // The campaigns of a workspace are few; answered by campaign_recipient_pkey.
  const rows = await tx.query(sql`
    DELETE FROM campaign_recipient
    WHERE ctid = ANY(ARRAY(
      SELECT campaign_recipient.ctid
      FROM campaign
      JOIN campaign_recipient ON campaign_recipient.campaign_pk = campaign.pk
      WHERE campaign.workspace_pk = ${pk}
      LIMIT ${max}
    ))
    RETURNING 1`);
  return rows.length;
}

/** The table needs an index that starts with the workspace. Returns the number of deleted rows. */
export async function deleteBatch(
  tx: Connection,
  table:
    | "audit"
    | "contact"
    | "contact_answer"
    | "customer"
    | "link_reuse"
    | "link_repeat"
    | "webhook_event"
    | "webhook_outbox",
  pk: number,
  max: number,
): Promise<number> {
  const rows = await tx.query({
    // Answered by audit_workspace_pk_id_idx, contact_list, contact_answer_workspace, customer_list, link_reuse_pkey,
    // link_repeat_pkey, webhook_event_workspace and webhook_outbox_workspace.
    text: `
      DELETE FROM ${table}
      WHERE ctid = ANY(ARRAY(
        SELECT ctid
        FROM ${table}
        WHERE workspace_pk = $1
        LIMIT $2
      ))
      RETURNING 1`,
    values: [pk, max],
  });
  return rows.length;
}

export async function deleteRest(tx: Connection, pk: number): Promise<void> {
  // One row per object deleted in the last minutes.
  await dropEras(tx, pk);
  await tx.query(sql`DELETE FROM link_external_id WHERE workspace_pk = ${pk}`);
  await tx.query(sql`DELETE FROM domain_clearing WHERE workspace_pk = ${pk}`);
  await tx.query(sql`DELETE FROM folder_clearing WHERE workspace_pk = ${pk}`);
}

/** Also deletes members, keys, tags, folders, shares, invitations, quotas and bulk calls. */
export async function deleteWorkspaceRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM workspace WHERE pk = ${pk}`);
}
