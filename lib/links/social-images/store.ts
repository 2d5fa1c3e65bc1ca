import { type VisibleLinks, visibleConditions } from "#lib/links/visible-links";
import { type Connection, query, SqlValues, sql } from "#lib/platform/postgres";

export interface ImageRow {
  id: string;
  width: number;
  height: number;
  createdAt: Date;
}

export function findImageByHash(tx: Connection, workspacePk: number, hash: string) {
  // Answered by social_image_workspace_pk_hash_key.
  return tx.one<ImageRow>(sql`
    SELECT id, width, height, created_at AS "createdAt"
    FROM social_image
    WHERE workspace_pk = ${workspacePk}
      AND hash = ${hash}`);
}

export async function countImages(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by social_image_workspace_pk_hash_key.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM social_image WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

/** Deletes old images that no link uses. The URL of an image is `base` and its id. */
export async function deleteUnused(
  tx: Connection,
  workspacePk: number,
  base: string,
  days: number,
): Promise<void> {
  // Answered by social_image_workspace_pk_hash_key.
  // defence: only-old-images-deleted
  const old = await tx.query<{ url: string }>(sql`
    SELECT ${base} || id AS url
    FROM social_image
    WHERE workspace_pk = ${workspacePk}
      AND created_at < now() - ${days} * interval '1 day'`);
  const urls = old.map(({ url }) => url);
  // Answered by link_image.
  const used = await tx.query<{ image: string }>(sql`
    SELECT DISTINCT link.image
    FROM link
    JOIN unnest(${urls}::text[]) AS asked (url)
      ON hashtextextended(link.image, link.workspace_pk) = hashtextextended(asked.url, ${workspacePk})
      AND link.image = asked.url
    WHERE link.workspace_pk = ${workspacePk}`);
  const kept = new Set(used.map(({ image }) => image));
  // defence: images-of-links-kept
  const unused = urls.filter((url) => !kept.has(url)).map((url) => url.slice(base.length));
  // Answered by social_image_id_key.
  await tx.query(sql`
    DELETE FROM social_image
    WHERE workspace_pk = ${workspacePk}
      AND id = ANY(${unused}::text[])`);
}

export async function insertImage(
  tx: Connection,
  workspacePk: number,
  row: { id: string; hash: string; jpeg: Uint8Array; width: number; height: number },
): Promise<ImageRow> {
  const [inserted] = await tx.query<ImageRow>(sql`
    INSERT INTO social_image (id, workspace_pk, hash, jpeg, width, height)
    VALUES (${row.id}, ${workspacePk}, ${row.hash}, ${row.jpeg}, ${row.width}, ${row.height})
    RETURNING id, width, height, created_at AS "createdAt"`);
  if (!inserted) throw new Error("INSERT returned no row");
  return inserted;
}

export async function findJpeg(id: string): Promise<Buffer | undefined> {
  // Answered by social_image_id_key. Images stay as long as links of a deleted workspace work.
  const [row] = await query<{ jpeg: Buffer }>(sql`SELECT jpeg FROM social_image WHERE id = ${id}`);
  return row?.jpeg;
}

export interface UsedImageRow extends ImageRow {
  bytes: number;
  linkCount: number;
  links: { id: string; host: string; key: string }[];
}

interface UsedImages {
  workspacePk: number;
  /** The URL of an image is `base` and its id. */
  base: string;
  seen: VisibleLinks;
  namedMax: number;
  limit: number;
  offset: number;
}

export async function listUsed(asked: UsedImages): Promise<UsedImageRow[]> {
  // Answered by social_image_workspace_pk_hash_key. octet_length does not read the image.
  const images = await query<ImageRow & { bytes: number }>(sql`
    SELECT id, width, height, created_at AS "createdAt", octet_length(jpeg) AS bytes
    FROM social_image
    WHERE workspace_pk = ${asked.workspacePk}
    ORDER BY created_at DESC, pk DESC
    LIMIT ${asked.limit}
    OFFSET ${asked.offset}`);
  return await Promise.all(
    images.map(async (image) => ({ ...image, ...(await findUses(asked, image.id)) })),
  );
}

async function findUses(
  { workspacePk, base, seen, namedMax }: UsedImages,
  id: string,
): Promise<Pick<UsedImageRow, "linkCount" | "links">> {
  const { list: values, place } = new SqlValues();
  const url = place(`${base}${id}`, "text");
  const using = [
    `link.workspace_pk = ${place(workspacePk, "int")}`,
    `hashtextextended(link.image, link.workspace_pk) = hashtextextended(${url}, ${place(workspacePk, "int")})`,
    `link.image = ${url}`,
    // defence: image-links-of-visible-folders
    ...visibleConditions(seen, place),
  ].join(" AND ");
  const counted = [...values];
  const limit = place(namedMax, "int");
  const [[count], links] = await Promise.all([
    // Answered by link_image.
    query<{ count: number }>({
      text: `SELECT count(*) AS count FROM link WHERE ${using}`,
      values: counted,
    }),
    query<UsedImageRow["links"][number]>({
      text: `
        SELECT link.id, domain.slug AS host, link.key
        FROM link
        JOIN domain ON domain.pk = link.domain_pk
        WHERE ${using}
        ORDER BY link.id DESC
        LIMIT ${limit}`,
      values,
    }),
  ]);
  return { linkCount: count?.count ?? 0, links };
}

export async function deleteImage(tx: Connection, workspacePk: number, id: string) {
  // Answered by social_image_id_key.
  return await tx.any(
    sql`DELETE FROM social_image WHERE workspace_pk = ${workspacePk} AND id = ${id} RETURNING 1`,
  );
}

export async function findOwnJpeg(workspacePk: number, id: string): Promise<Buffer | undefined> {
  // Answered by social_image_id_key.
  const [row] = await query<{ jpeg: Buffer }>(
    sql`SELECT jpeg FROM social_image WHERE workspace_pk = ${workspacePk} AND id = ${id}`,
  );
  return row?.jpeg;
}
