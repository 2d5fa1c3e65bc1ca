/** The SQL of links: changing and deleting, each with its outbox rows in one transaction. */
import { type Deed, recordDeeds } from "#lib/audit";
import { type Change, recordChanges, takeRevision } from "#lib/coherence";
import { type Connection, query, sql, transaction } from "#lib/postgres";
import { targetEntry } from "#lib/targets";
import { searchText } from "./draft.ts";
import { type FoundLink, findRow } from "./list.ts";
import type { LinkRow } from "./row.ts";
import { claimKeys } from "./store.ts";

const editableColumns = [
  "key",
  "alias",
  "url",
  "redirect_status",
  "archived",
  "track_conversion",
  "do_index",
  "public_stats",
  "external_id",
  "tenant_id",
  "comments",
  "title",
  "description",
  "starts_at",
  "expires_at",
  "expired_url",
] as const;

/** Columns that an edit may change. */
export type LinkChanges = Partial<Pick<LinkRow, (typeof editableColumns)[number]>>;

export type Edited =
  | { ok: true; row: FoundLink; published: Change[] }
  | { ok: false; code: "not_found" | "key_taken" };

/** Changes a link; undefined `tagPks` leaves its tags as they are. */
export function updateRow(
  workspacePk: number,
  id: string,
  changes: LinkChanges,
  tagPks: number[] | undefined,
  deed: Deed,
): Promise<Edited> {
  return transaction(async (tx) => {
    const before = await findRow(workspacePk, id, tx);
    if (!before) return { ok: false, code: "not_found" };
    const after: FoundLink = { ...before, ...changes };
    if (after.key !== before.key) {
      const taken = await claimKeys(tx, [after]);
      if (taken.size > 0) return { ok: false, code: "key_taken" };
      await dropAliases(tx, [before]);
      after.alias = true;
    }
    after.revision = await takeRevision(tx);
    const [stamped] = await writeColumns(tx, after);
    if (stamped) after.updated_at = stamped.updated_at;
    if (tagPks) await replaceTags(tx, after.pk, tagPks);
    await query(
      sql`UPDATE link_search SET text = ${searchText(after)} WHERE link_pk = ${after.pk}`,
      tx,
    );
    const entries = new Set(
      [before.key, after.key].map((key) => targetEntry(after.domain_pk, key)),
    );
    const published = [...entries].map((entry) => ({ entry, revision: after.revision }));
    await recordChanges(tx, published);
    await recordDeeds(tx, [deed]);
    return { ok: true, row: after, published };
  });
}

function writeColumns(tx: Connection, row: LinkRow): Promise<{ updated_at: Date }[]> {
  const sets = editableColumns.map((column, at) => `${column} = $${at + 3}`);
  return query(
    {
      text: `
        UPDATE link
        SET revision = $2, updated_at = now(), ${sets.join(", ")}
        WHERE pk = $1
        RETURNING updated_at`,
      values: [row.pk, row.revision, ...editableColumns.map((column) => row[column])],
    },
    tx,
  );
}

async function replaceTags(tx: Connection, pk: number, tagPks: number[]): Promise<void> {
  await query(sql`DELETE FROM link_tag WHERE link_pk = ${pk}`, tx);
  await query(
    sql`INSERT INTO link_tag (link_pk, tag_pk) SELECT ${pk}, unnest(${tagPks}::int[])`,
    tx,
  );
}

async function dropAliases(tx: Connection, rows: readonly LinkRow[]): Promise<void> {
  // Answered by alias_link_pk_idx. The name of each row only: a link that was just renamed has its new one already.
  await query(
    sql`
      DELETE FROM alias
      USING unnest(
        ${rows.map((row) => row.pk)}::bigint[],
        ${rows.map((row) => row.key)}::text[]
      ) AS old (pk, key)
      WHERE alias.link_pk = old.pk
        AND alias.key = old.key`,
    tx,
  );
}

/** Deletes a link with its names. Its statistics go in the background. */
export function deleteRow(workspacePk: number, id: string, deed: Deed): Promise<Edited> {
  return transaction(async (tx) => {
    const row = await findRow(workspacePk, id, tx);
    if (!row) return { ok: false, code: "not_found" };
    const revision = await takeRevision(tx);
    await dropAliases(tx, [row]);
    await query(sql`DELETE FROM link_search WHERE link_pk = ${row.pk}`, tx);
    await query(sql`DELETE FROM link WHERE pk = ${row.pk}`, tx);
    const published = [{ entry: targetEntry(row.domain_pk, row.key), revision }];
    await recordChanges(tx, published);
    await recordDeeds(tx, [deed]);
    return { ok: true, row, published };
  });
}
