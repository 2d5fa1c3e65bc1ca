import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type ShareKind, type SharePart, shareKinds, shareParts } from "./schema.ts";

export interface ShareRow {
  pk: number;
  id: string;
  workspace_pk: number;
  name: string;
  kind: ShareKind;
  subject_pk: number | null;
  parts: SharePart[];
  days_max: number | null;
  annotations: boolean;
  password_hash: string | null;
  ends_at: Date | null;
  created_at: Date;
  /** The uuid of a link, or the public id of a folder or tag. Null if there is none, or it left the workspace. */
  subject: string | null;
}

type UncheckedRow = Omit<ShareRow, "kind" | "parts"> & { kind: string; parts: string[] };

/** Only this module writes rows, so anything else is a bug. */
function readRow(row: UncheckedRow): ShareRow {
  const kind = shareKinds.find((one) => one === row.kind);
  if (!kind) throw new Error(`Unknown kind of share "${row.kind}"`);
  return { ...row, kind, parts: shareParts.filter((part) => row.parts.includes(part)) };
}

const columns = `
  share.pk,
  share.id,
  share.workspace_pk,
  share.name,
  share.kind,
  share.subject_pk,
  share.parts,
  share.days_max,
  share.annotations,
  share.password_hash,
  share.ends_at,
  share.created_at,
  coalesce(folder.id, tag.id) AS subject`;

// By primary keys. Omits objects that left the workspace.
const subjects = `
  LEFT JOIN folder
    ON share.kind = 'folder' AND folder.pk = share.subject_pk AND folder.workspace_pk = share.workspace_pk
  LEFT JOIN tag
    ON share.kind = 'tag' AND tag.pk = share.subject_pk AND tag.workspace_pk = share.workspace_pk`;

export interface NewShareRow {
  id: string;
  workspacePk: number;
  name: string;
  kind: ShareKind;
  subjectPk: number | null;
  parts: readonly SharePart[];
  daysMax: number | null;
  annotations: boolean;
  tokenHash: string;
  sealedToken: Buffer;
  passwordHash: string | null;
  endsAt: string | null;
  madeBy: string;
}

export async function insertRow(tx: Connection, row: NewShareRow): Promise<void> {
  await tx.query(sql`
    INSERT INTO share (id, workspace_pk, name, kind, subject_pk, parts, days_max, annotations,
      token_hash, sealed_token, password_hash, ends_at, made_by)
    VALUES (${row.id}, ${row.workspacePk}, ${row.name}, ${row.kind}, ${row.subjectPk},
      ${row.parts}::text[], ${row.daysMax}, ${row.annotations}, ${row.tokenHash}, ${row.sealedToken},
      ${row.passwordHash}, ${row.endsAt}, ${row.madeBy})`);
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by share_workspace_pk_idx.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM share WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

/** `former_member`: the name of a creator who left the workspace; empty if the account is gone. */
export interface ListedRow extends ShareRow {
  former_member: string | null;
  /** Tokens of older shares were not stored. */
  has_token: boolean;
}

export async function listRows(workspacePk: number, madeBy: string | null): Promise<ListedRow[]> {
  const rows = await query<UncheckedRow & Pick<ListedRow, "former_member" | "has_token">>({
    // Answered by share_workspace_pk_idx, app_user_id_key and membership_pkey.
    text: `
      SELECT ${columns},
        CASE WHEN membership.user_pk IS NULL THEN coalesce(app_user.name, '') END AS former_member,
        share.sealed_token IS NOT NULL AS has_token
      FROM share
      ${subjects}
      LEFT JOIN app_user ON app_user.id = share.made_by
      LEFT JOIN membership
        ON membership.workspace_pk = share.workspace_pk AND membership.user_pk = app_user.pk
      WHERE share.workspace_pk = $1
        AND ($2::text IS NULL OR share.made_by = $2)
      ORDER BY share.pk DESC`,
    values: [workspacePk, madeBy],
  });
  const shares = await withLinks(rows);
  return shares.map((row) => ({ ...row, ...readRow(row) }));
}

/** Null for an older share; undefined if it does not exist, or another person created it. */
export async function findSealedToken(
  workspacePk: number,
  id: string,
  madeBy: string | null,
): Promise<Buffer | null | undefined> {
  // Answered by share_id_key.
  // defence: share-token-of-workspace
  const row = await query.one<{ sealed: Buffer | null }>(sql`
    SELECT sealed_token AS sealed
    FROM share
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND (${madeBy}::text IS NULL OR made_by = ${madeBy})`);
  return row?.sealed;
}

export async function findByToken(tokenHash: string): Promise<ShareRow | undefined> {
  const rows = await query<UncheckedRow>({
    // Answered by share_token_hash_key.
    text: `
      SELECT ${columns}
      FROM share
      ${subjects}
      WHERE share.token_hash = $1
        AND (share.ends_at IS NULL OR share.ends_at > now())`,
    values: [tokenHash],
  });
  const [row] = await withLinks(rows);
  return row && readRow(row);
}

/** Sets the subject of link shares: the id of the link, while it is in the same workspace. */
async function withLinks<Row extends UncheckedRow>(rows: readonly Row[]): Promise<Row[]> {
  const pks = rows.flatMap(({ kind, subject_pk: pk }) => (kind === "link" ? (pk ?? []) : []));
  if (pks.length === 0) return [...rows];
  // Answered by link_pkey.
  const links = await query<{ pk: number; workspace_pk: number; id: string }>(sql`
    SELECT pk, workspace_pk, id
    FROM link
    WHERE pk = ANY(${pks}::bigint[])`);
  const linkOf = new Map(links.map((link) => [link.pk, link]));
  return rows.map((row) => {
    const link = row.kind === "link" && row.subject_pk !== null && linkOf.get(row.subject_pk);
    return link && link.workspace_pk === row.workspace_pk ? { ...row, subject: link.id } : row;
  });
}

export function deleteRowsOf(
  tx: Connection,
  workspacePk: number,
  madeBy: string,
): Promise<{ id: string; name: string }[]> {
  // Answered by share_made_by_idx.
  return tx.query(sql`
    DELETE FROM share
    WHERE made_by = ${madeBy}
      AND workspace_pk = ${workspacePk}
    RETURNING id, name`);
}

/** Returns the name; undefined if it does not exist, or another person created it. */
export async function deleteRow(
  tx: Connection,
  workspacePk: number,
  id: string,
  madeBy: string | null,
): Promise<string | undefined> {
  // Answered by share_id_key.
  const [row] = await tx.query<{ name: string }>(sql`
    DELETE FROM share
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND (${madeBy}::text IS NULL OR made_by = ${madeBy})
    RETURNING name`);
  return row?.name;
}

export async function findTagPk(workspacePk: number, id: string): Promise<number | undefined> {
  const row = await prisma().tag.findUnique({ where: { id, workspacePk }, select: { pk: true } });
  return row?.pk;
}
