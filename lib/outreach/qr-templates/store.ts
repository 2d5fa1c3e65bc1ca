import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

export interface LogoRow {
  id: string;
  width: number;
  height: number;
  createdAt: Date;
}

export interface QrTemplateRow {
  id: string;
  name: string;
  design: unknown;
  logo_id: string | null;
  is_default: boolean;
  created_at: Date;
}

export interface NewLogoRow {
  id: string;
  hash: string;
  png: Uint8Array;
  width: number;
  height: number;
}

export async function insertLogo(
  tx: Connection,
  workspacePk: number,
  row: NewLogoRow,
): Promise<LogoRow | undefined> {
  return await tx.one<LogoRow>(sql`
    INSERT INTO qr_logo (id, workspace_pk, hash, png, width, height)
    VALUES (${row.id}, ${workspacePk}, ${row.hash}, ${row.png}, ${row.width}, ${row.height})
    ON CONFLICT (workspace_pk, hash) DO NOTHING
    RETURNING id, width, height, created_at AS "createdAt"`);
}

export async function findLogoByHash(
  tx: Connection,
  workspacePk: number,
  hash: string,
): Promise<LogoRow | undefined> {
  // Answered by qr_logo_workspace_pk_hash_key.
  return await tx.one<LogoRow>(sql`
    SELECT id, width, height, created_at AS "createdAt"
    FROM qr_logo
    WHERE workspace_pk = ${workspacePk}
      AND hash = ${hash}`);
}

export async function countLogos(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by qr_logo_workspace_pk_hash_key.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM qr_logo WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

export function listLogoRows(workspacePk: number): Promise<LogoRow[]> {
  return prisma().qrLogo.findMany({
    where: { workspacePk },
    select: { id: true, width: true, height: true, createdAt: true },
    orderBy: { pk: "desc" },
  });
}

export async function findLogoPng(workspacePk: number, id: string) {
  const row = await prisma().qrLogo.findUnique({
    // defence: qr-stored-logo-of-workspace
    where: { id, workspacePk },
    select: { png: true },
  });
  return row?.png;
}

export async function lockLogo(
  tx: Connection,
  workspacePk: number,
  id: string,
): Promise<number | undefined> {
  // Answered by qr_logo_id_key.
  const [row] = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM qr_logo
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    FOR UPDATE`);
  return row?.pk;
}

export async function findTemplateUsing(
  tx: Connection,
  logoPk: number,
): Promise<string | undefined> {
  // Answered by qr_template_logo_pk_idx.
  const [row] = await tx.query<{ name: string }>(
    sql`SELECT name FROM qr_template WHERE logo_pk = ${logoPk} LIMIT 1`,
  );
  return row?.name;
}

export async function countLinksUsing(
  tx: Connection,
  workspacePk: number,
  logoId: string,
): Promise<number> {
  // Answered by link_qr_logo.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND qr ->> 'logoId' = ${logoId}`);
  return row?.count ?? 0;
}

export async function deleteLogoRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM qr_logo WHERE pk = ${pk}`);
}

const columns = `
  qr_template.id,
  qr_template.name,
  qr_template.design,
  qr_logo.id AS logo_id,
  qr_template.is_default,
  qr_template.created_at`;

export function listTemplateRows(workspacePk: number): Promise<QrTemplateRow[]> {
  return query<QrTemplateRow>({
    // Answered by qr_template_workspace_pk_idx; logos by their primary key.
    text: `
      SELECT ${columns}
      FROM qr_template
      LEFT JOIN qr_logo ON qr_logo.pk = qr_template.logo_pk
      WHERE qr_template.workspace_pk = $1
      ORDER BY qr_template.is_default DESC, qr_template.pk`,
    values: [workspacePk],
  });
}

/** The template with this id, or without one the default. */
export async function findTemplateRow(
  workspacePk: number,
  id: string | null,
  tx?: Connection,
): Promise<QrTemplateRow | undefined> {
  return await query.on(tx).one<QrTemplateRow>({
    // Answered by qr_template_id_key, or by qr_template_default.
    text: `
      SELECT ${columns}
      FROM qr_template
      LEFT JOIN qr_logo ON qr_logo.pk = qr_template.logo_pk
      WHERE qr_template.workspace_pk = $1
        AND ${id === null ? "qr_template.is_default" : "qr_template.id = $2"}`,
    values: id === null ? [workspacePk] : [workspacePk, id],
  });
}

export async function countTemplates(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by qr_template_workspace_pk_idx.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM qr_template WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

export interface QrTemplateValues {
  id: string;
  name: string;
  design: string;
  logoPk: number | null;
  isDefault: boolean;
}

export async function insertTemplate(
  tx: Connection,
  workspacePk: number,
  values: QrTemplateValues,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO qr_template (id, workspace_pk, name, design, logo_pk, is_default)
    VALUES (${values.id}, ${workspacePk}, ${values.name}, ${values.design}::jsonb,
      ${values.logoPk}, ${values.isDefault})`);
}

export async function updateTemplate(
  tx: Connection,
  workspacePk: number,
  values: QrTemplateValues,
): Promise<void> {
  // Answered by qr_template_id_key.
  await tx.query(sql`
    UPDATE qr_template
    SET name = ${values.name},
      design = ${values.design}::jsonb,
      logo_pk = ${values.logoPk},
      is_default = ${values.isDefault}
    WHERE id = ${values.id}
      AND workspace_pk = ${workspacePk}`);
}

export async function clearDefault(tx: Connection, workspacePk: number): Promise<void> {
  // Answered by qr_template_default.
  await tx.query(sql`
    UPDATE qr_template
    SET is_default = false
    WHERE workspace_pk = ${workspacePk}
      AND is_default`);
}

export async function deleteTemplateRow(
  tx: Connection,
  workspacePk: number,
  id: string,
): Promise<string | undefined> {
  // Answered by qr_template_id_key.
  const [row] = await tx.query<{ name: string }>(sql`
    DELETE FROM qr_template
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    RETURNING name`);
  return row?.name;
}
