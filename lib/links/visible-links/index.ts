/** Which links an actor may see: not in hidden folders, and only within the reach of a key. */
import { parseId } from "#lib/basics/ids";
import { hiddenFolderPks } from "#lib/links/folders";
import { query, SqlValues, sql } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import type { LinkPlace } from "#lib/tenancy/reach";

export interface VisibleLinks {
  hiddenFolderPks: readonly number[];
  /** Null: all domains. */
  domainPks: readonly number[] | null;
  /** Null: all folders, and links without a folder. */
  folderPks: readonly number[] | null;
}

/** Owners and admins need no query. */
export async function visibleLinks(scope: WorkspaceScope): Promise<VisibleLinks> {
  return {
    hiddenFolderPks: await hiddenFolderPks(scope),
    domainPks: scope.reach.domains?.map(({ pk }) => pk) ?? null,
    folderPks: scope.reach.folderPks,
  };
}

export function isVisible(seen: VisibleLinks, { domain_pk, folder_pk }: LinkPlace): boolean {
  const { hiddenFolderPks, domainPks, folderPks } = seen;
  // defence: key-opens-links-in-reach
  if (domainPks && !domainPks.includes(domain_pk)) return false;
  if (folder_pk === null) return folderPks === null;
  return !hiddenFolderPks.includes(folder_pk) && (folderPks?.includes(folder_pk) ?? true);
}

export function visibleConditions(seen: VisibleLinks, place: SqlValues["place"]): string[] {
  const { hiddenFolderPks, domainPks, folderPks } = seen;
  const where: string[] = [];
  if (hiddenFolderPks.length > 0) {
    const hidden = place(hiddenFolderPks, "int[]");
    // defence: hidden-links-not-listed
    where.push(`(link.folder_pk IS NULL OR link.folder_pk <> ALL(${hidden}))`);
  }
  // defence: key-lists-links-in-reach
  if (domainPks) where.push(`link.domain_pk = ANY(${place(domainPks, "int[]")})`);
  if (folderPks) where.push(`link.folder_pk = ANY(${place(folderPks, "int[]")})`);
  return where;
}

export async function findVisiblePk(
  workspacePk: number,
  uuid: string,
  seen: VisibleLinks,
): Promise<number | undefined> {
  const { list: values, place } = new SqlValues();
  const where = [
    `link.workspace_pk = ${place(workspacePk, "int")}`,
    `link.id = ${place(uuid, "uuid")}`,
    ...visibleConditions(seen, place),
  ];
  // Answered by link_workspace.
  const text = `SELECT link.pk FROM link WHERE ${where.join(" AND ")}`;
  const [row] = await query<{ pk: number }>({ text, values });
  return row?.pk;
}

export interface NamedLink {
  link_id: string;
  slug: string;
  key: string;
  url: string;
}

/** The links among these that the workspace has and the actor may see, by pk. */
export async function findVisibleLinks(
  workspacePk: number,
  pks: readonly number[],
  seen: VisibleLinks,
): Promise<Map<number, NamedLink>> {
  if (pks.length === 0) return new Map();
  const { list: values, place } = new SqlValues();
  const where = [
    `link.pk = ANY(${place([...new Set(pks)], "bigint[]")})`,
    `link.workspace_pk = ${place(workspacePk, "int")}`,
    ...visibleConditions(seen, place),
  ];
  // Answered by link_pkey and domain_pkey.
  const text = `
    SELECT link.pk, link.id AS link_id, domain.slug, link.key, link.url
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    WHERE ${where.join("\n      AND ")}`;
  const links = await query<NamedLink & { pk: number }>({ text, values });
  return new Map(links.map(({ pk, ...link }) => [pk, link]));
}

export async function withoutHidden<Row extends LinkPlace>(
  scope: WorkspaceScope,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const seen = await visibleLinks(scope);
  return rows.filter((row) => isVisible(seen, row));
}

const partMax = 10_000;
const partGrowth = 4;

/** Reads growing parts, so that a person who sees one row in a thousand waits for few queries. */
export async function fillPage<Row, Shown>(
  limit: number,
  read: (last: Row | undefined, size: number) => Promise<readonly Row[]>,
  show: (rows: readonly Row[]) => Promise<readonly Shown[]>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  let last: Row | undefined;
  for (let size = limit; ; size = Math.max(limit, Math.min(size * partGrowth, partMax))) {
    const rows = await read(last, size);
    shown.push(...(await show(rows)));
    if (rows.length < size || shown.length >= limit) return shown.slice(0, limit);
    last = rows.at(-1);
  }
}

/** The campaign whose links the actor may list: owners and admins all, others their own. */
export async function findCampaignPk(
  scope: WorkspaceScope,
  id: string,
): Promise<number | undefined> {
  if (parseId("camp", id) === undefined) return undefined;
  const creatorPk = onlyCreatorPk(scope);
  // Answered by campaign_id_key.
  const [row] = await query<{ pk: number }>(sql`
    SELECT pk
    FROM campaign
    WHERE id = ${id}
      AND workspace_pk = ${scope.workspacePk}
      AND deleted_at IS NULL
      AND (user_pk = ${creatorPk} OR ${creatorPk}::int IS NULL)`);
  return row?.pk;
}
