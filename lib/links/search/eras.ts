/** Eras, and the rows of texts in them. */
import { uuidBefore } from "#lib/basics/ids";
import { type Connection, sql } from "#lib/platform/postgres";
import { type Direction, eraLinksMax } from "./schema.ts";
import { foldText, rareGrams } from "./search-term.ts";

const eraLock = 20_261_121;
const firstId = "00000000-0000-0000-0000-000000000000";

export interface LinkText {
  pk: number;
  id: string;
  text: string;
}

/** Until the commit, no other transaction adds texts to these workspaces. */
export async function lockEras(tx: Connection, workspacePks: Iterable<number>): Promise<void> {
  // Sort, so that two transactions cannot deadlock.
  for (const workspacePk of [...new Set(workspacePks)].sort((a, b) => a - b)) {
    await tx.query(sql`SELECT pg_advisory_xact_lock(${eraLock}, ${workspacePk})`);
  }
}

/** Adds texts of new links. Called with the lock. */
export async function addNewest(tx: Connection, workspacePk: number, rows: readonly LinkText[]) {
  await openEra(tx, workspacePk, rows.length);
  await insertTexts(tx, workspacePk, rows);
}

async function openEra(tx: Connection, workspacePk: number, links: number): Promise<void> {
  // Answered by search_era_after.
  const [newest] = await tx.query<{ pk: number; full: boolean }>(sql`
    UPDATE search_era
    SET links = links + ${links}
    WHERE pk = (
      SELECT pk
      FROM search_era
      WHERE workspace_pk = ${workspacePk}
      ORDER BY after_id DESC
      LIMIT 1)
    RETURNING pk, links > ${eraLinksMax} AS full`);
  if (newest && !newest.full) return;
  // A link that is older than the end of the full era belongs to it. Answered by link_search_grams.
  await tx.query(sql`
    INSERT INTO search_era (workspace_pk, after_id, links)
    SELECT ${workspacePk}, coalesce((
      SELECT id
      FROM link_search
      WHERE era_pk = ${newest?.pk ?? 0}
      ORDER BY id DESC
      LIMIT 1), ${firstId}::uuid), ${links}
    ON CONFLICT (workspace_pk, after_id) DO NOTHING`);
}

function insertTexts(tx: Connection, workspacePk: number, rows: readonly LinkText[]) {
  return tx.query<{ link_pk: number; era_pk: number }>(sql`
    INSERT INTO link_search (link_pk, workspace_pk, era_pk, id, text, grams)
    SELECT new.pk, ${workspacePk}, era.pk, new.id, new.text, new.grams
    FROM json_to_recordset(${textsJson(rows)}::json)
      AS new (pk bigint, id uuid, text text, grams text[])
    CROSS JOIN LATERAL (
      SELECT pk
      FROM search_era
      WHERE workspace_pk = ${workspacePk}
        AND after_id < new.id
      ORDER BY after_id DESC
      LIMIT 1
    ) AS era
    ON CONFLICT (link_pk) DO NOTHING
    RETURNING link_pk, era_pk`);
}

export async function ensureEra(tx: Connection, workspacePk: number): Promise<void> {
  await tx.query(sql`
    INSERT INTO search_era (workspace_pk, after_id, links)
    VALUES (${workspacePk}, ${firstId}, 0)
    ON CONFLICT (workspace_pk, after_id) DO NOTHING`);
}

/**
 * Adds a slice of texts, in the order of the direction, to the eras of their ids. An era that
 * becomes full is split at the last of them, so that the next slice goes to another one. Called
 * with the lock. Returns how many were added.
 */
export async function addSlice(
  tx: Connection,
  workspacePk: number,
  rows: readonly LinkText[],
  direction: Direction,
): Promise<number> {
  const last = rows.at(-1);
  if (!last) return 0;
  await ensureEra(tx, workspacePk);
  const added = await insertTexts(tx, workspacePk, rows);
  // Answered by search_era_pkey.
  const eras = await tx.query<{ pk: number; links: number }>(sql`
    UPDATE search_era
    SET links = search_era.links + new.links
    FROM (
      SELECT era_pk, count(*) AS links
      FROM unnest(${added.map(({ era_pk }) => era_pk)}::int[]) AS era_pk
      GROUP BY era_pk
    ) AS new
    WHERE search_era.pk = new.era_pk
    RETURNING search_era.pk, search_era.links`);
  const lastEra = added.find(({ link_pk }) => link_pk === last.pk)?.era_pk;
  const full = eras.find(({ pk, links }) => pk === lastEra && links > eraLinksMax);
  if (full) await splitEra(tx, { workspacePk, pk: full.pk, id: last.id, direction });
  return added.length;
}

interface Split {
  workspacePk: number;
  pk: number;
  /** The last link that stays in the era. */
  id: string;
  direction: Direction;
}

/** Moves the texts on the other side to a new era. They were there before the slice, and are usually few. */
async function splitEra(tx: Connection, { workspacePk, pk, id, direction }: Split): Promise<void> {
  const up = direction === "up";
  const border = up ? id : uuidBefore(id);
  // Answered by search_era_pkey. Upwards, `after_id` stays, because the other side starts at the border.
  const [era] = await tx.query<{ after_id: string }>(sql`
    UPDATE search_era
    SET after_id = CASE WHEN ${up} THEN search_era.after_id ELSE ${border}::uuid END
    FROM (SELECT after_id FROM search_era WHERE pk = ${pk}) AS before
    WHERE search_era.pk = ${pk}
    RETURNING before.after_id`);
  if (!era) throw new Error(`Era ${pk} vanished during its transaction`);
  // The other side is empty, because the era starts directly before the link.
  if (!up && era.after_id === border) return;
  // Answered by link_search_grams.
  await tx.query(sql`
    WITH other AS (
      INSERT INTO search_era (workspace_pk, after_id, links)
      VALUES (${workspacePk}, ${up ? border : era.after_id}, 0)
      ON CONFLICT (workspace_pk, after_id) DO NOTHING
      RETURNING pk
    )
    UPDATE link_search
    SET era_pk = other.pk
    FROM other
    WHERE era_pk = ${pk}
      AND CASE WHEN ${up} THEN id > ${border}::uuid ELSE id <= ${border}::uuid END`);
  // Answered by search_era_after and link_search_grams.
  await tx.query(sql`
    UPDATE search_era
    SET links = (SELECT count(*) FROM link_search WHERE link_search.era_pk = search_era.pk)
    WHERE workspace_pk = ${workspacePk}
      AND (pk = ${pk} OR after_id = ${up ? border : era.after_id})`);
}

/** JSON, because arrays of grams as parameters would all need the same length. */
export function textsJson(rows: readonly { pk: number; id?: string; text: string }[]): string {
  return JSON.stringify(
    rows.map(({ pk, id, text }) => {
      const folded = foldText(text);
      return { pk, id, text: folded, grams: rareGrams(folded) };
    }),
  );
}

/** Called with the lock. */
export async function dropSlice(tx: Connection, linkPks: readonly number[]): Promise<void> {
  // Answered by link_search_pkey.
  await tx.query(sql`DELETE FROM link_search WHERE link_pk = ANY(${linkPks}::bigint[])`);
}
