/**
 * The SQL about links of a domain: whether it has any, which names they have, and their end.
 *
 * No index on links begins with the domain, because every create would pay for it. What asks for the links of a domain
 * walks over those of its workspace; it is rare.
 */
import { deleteLinks, listNewest } from "#lib/links/link-rows";
import { type Connection, query, sql } from "#lib/platform/postgres";

interface OfWorkspace {
  pk: number;
  workspace_pk: number;
}

/** True when the domain has links. */
export async function hasLinks(tx: Connection, domain: OfWorkspace): Promise<boolean> {
  // Chosen names by alias_pkey, codes by link_workspace.
  const rows = await query(
    sql`
      SELECT
      WHERE EXISTS (SELECT FROM alias WHERE domain_pk = ${domain.pk})
        OR EXISTS (
          SELECT
          FROM link
          WHERE workspace_pk = ${domain.workspace_pk}
            AND domain_pk = ${domain.pk}
        )`,
    tx,
  );
  return rows.length > 0;
}

const foldedKeysMax = 10_000;

/** True when a domain has no generated codes, and no key that capitals tell from another one. */
export async function isFolded(tx: Connection, domain: OfWorkspace): Promise<boolean> {
  // Answered by link_workspace.
  const codes = await query(
    sql`
      SELECT
      FROM link
      WHERE workspace_pk = ${domain.workspace_pk}
        AND domain_pk = ${domain.pk}
        AND NOT alias
      LIMIT 1`,
    tx,
  );
  if (codes.length > 0) return false;
  // Answered by alias_pkey. More than these nobody reads at once: such a domain stays as it is.
  const names = await query<{ key: string }>(
    sql`SELECT key FROM alias WHERE domain_pk = ${domain.pk} LIMIT ${foldedKeysMax + 1}`,
    tx,
  );
  if (names.length > foldedKeysMax) return false;
  return names.every(({ key }) => key === key.toLowerCase().normalize("NFC"));
}

/** Notes that the links of a deleted domain are to be deleted. */
export async function noteClearing(
  tx: Connection,
  domain: OfWorkspace,
  dueSeconds: number,
): Promise<void> {
  await query(
    sql`
      INSERT INTO domain_clearing (domain_pk, workspace_pk, due_at)
      VALUES (
        ${domain.pk},
        ${domain.workspace_pk},
        now() + ${dueSeconds} * interval '1 second'
      )`,
    tx,
  );
}

export interface Clearing {
  domain_pk: number;
  workspace_pk: number;
  after_id: string | null;
}

/** A deleted domain whose links are to be deleted now, held so that no other worker takes it. */
export async function takeClearing(tx: Connection): Promise<Clearing | undefined> {
  const [row] = await query<Clearing>(
    // As many rows as domains were deleted in the last minutes: no index.
    sql`
      SELECT domain_pk, workspace_pk, after_id
      FROM domain_clearing
      WHERE due_at <= now()
      ORDER BY due_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED`,
    tx,
  );
  return row;
}

/** Looks at the next links of the workspace and deletes those of the domain. The last id, undefined after the last. */
export async function clearSome(
  tx: Connection,
  { domain_pk: domainPk, workspace_pk: workspacePk, after_id: afterId }: Clearing,
  max: number,
): Promise<string | undefined> {
  const links = await listNewest(tx, workspacePk, afterId, max);
  const pks = links.flatMap(({ pk, domain_pk }) => (domain_pk === domainPk ? [pk] : []));
  await deleteLinks(tx, pks, { workspacePk, domainPk });
  return links.length === max ? links.at(-1)?.id : undefined;
}

/** Saves how far the walk came. */
export async function saveClearing(
  tx: Connection,
  { domain_pk, workspace_pk }: Clearing,
  afterId: string,
): Promise<void> {
  await query(
    sql`
      UPDATE domain_clearing
      SET after_id = ${afterId}
      WHERE domain_pk = ${domain_pk}
        AND workspace_pk = ${workspace_pk}`,
    tx,
  );
}

/** Forgets that the links of a domain are to be deleted from a workspace. */
export async function endClearing(
  tx: Connection,
  domainPk: number,
  workspacePk: number,
): Promise<void> {
  await query(
    sql`
      DELETE FROM domain_clearing
      WHERE domain_pk = ${domainPk}
        AND workspace_pk = ${workspacePk}`,
    tx,
  );
}
