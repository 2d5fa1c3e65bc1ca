/** Entries are stored as the lines of one text, because a hundred thousand of them are read at once. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { InstanceListKind, ListProblem } from "./schema.ts";

export interface ListRow {
  pk: number;
  workspace_pk: number | null;
  kind: InstanceListKind;
  entries: string;
  source: string | null;
  source_count: number;
  read_from: string | null;
  etag: string | null;
  polled_at: Date | null;
  succeeded_at: Date | null;
  problem: ListProblem | null;
  revision: number;
}

const columns = `pk, workspace_pk, kind, entries, source, source_count, read_from, etag, polled_at, succeeded_at, problem,
  revision`;

/** Owner 0 is the instance. */
export async function loadRevisions(
  owners: readonly number[],
): Promise<{ owner: number; revision: number }[]> {
  // Answered by destination_list_owner and destination_list_instance.
  return await query(sql`
    SELECT coalesce(workspace_pk, 0) AS owner, max(revision) AS revision
    FROM destination_list
    WHERE workspace_pk = ANY(${owners}::int[])
      OR (workspace_pk IS NULL AND 0 = ANY(${owners}::int[]))
    GROUP BY 1`);
}

export type ListContent = Pick<ListRow, "kind" | "entries" | "source" | "revision"> & {
  source_entries: string;
};

export function loadContents(workspacePk: number | null) {
  // Answered by destination_list_owner.
  return query<ListContent>(sql`
    SELECT kind, entries, source, revision, source_entries
    FROM destination_list
    WHERE workspace_pk IS NOT DISTINCT FROM ${workspacePk}::int`);
}

export function findLists(workspacePk: number | null) {
  return query<ListRow>({
    // Answered by destination_list_owner.
    text: `
      SELECT ${columns}
      FROM destination_list
      WHERE workspace_pk IS NOT DISTINCT FROM $1::int`,
    values: [workspacePk],
  });
}

/** Creates the row of a list if it is missing, and locks it. */
export async function lockList(tx: Connection, workspacePk: number | null, kind: InstanceListKind) {
  await createLists(workspacePk, [kind], tx);
  const [row] = await tx.query<ListRow>({
    // Answered by destination_list_owner.
    text: `
      SELECT ${columns}
      FROM destination_list
      WHERE workspace_pk IS NOT DISTINCT FROM $1::int
        AND kind = $2
      FOR NO KEY UPDATE`,
    values: [workspacePk, kind],
  });
  if (!row) throw new Error("The list was just created");
  return row;
}

export async function createLists(
  workspacePk: number | null,
  kinds: readonly InstanceListKind[],
  on?: Connection,
): Promise<void> {
  await query.on(on).query(sql`
    INSERT INTO destination_list (workspace_pk, kind, revision)
    SELECT ${workspacePk}::int, kind, 0
    FROM unnest(${kinds}::text[]) AS wanted (kind)
    ON CONFLICT DO NOTHING`);
}

export async function updateEntries(
  tx: Connection,
  pk: number,
  entries: readonly string[],
  revision: number,
): Promise<void> {
  await tx.query(sql`
    UPDATE destination_list
    SET entries = ${entries.join("\n")}, revision = ${revision}
    WHERE pk = ${pk}`);
}

/** Sets or removes the source. The content of the old one is no longer part of the list. */
export async function updateSource(
  tx: Connection,
  pk: number,
  source: string | null,
  revision: number,
): Promise<void> {
  await tx.query(sql`
    UPDATE destination_list
    SET source = ${source}, source_entries = '', source_count = 0, read_from = NULL, etag = NULL,
      polled_at = NULL, succeeded_at = NULL, problem = NULL, revision = ${revision}
    WHERE pk = ${pk}`);
}

/** Stores the content of a source. False: it has not changed. */
export async function updateContent(
  tx: Connection,
  pk: number,
  entries: readonly string[],
  revision: number,
): Promise<boolean> {
  const text = entries.join("\n");
  return await tx.any(sql`
    UPDATE destination_list
    SET source_entries = ${text}, source_count = ${entries.length}, revision = ${revision}
    WHERE pk = ${pk}
      AND source_entries <> ${text}
    RETURNING pk`);
}

export async function updateState(
  tx: Connection,
  pk: number,
  state: { from: string; etag: string | null; problem: ListProblem | null },
): Promise<void> {
  await tx.query(sql`
    UPDATE destination_list
    SET polled_at = now(),
      succeeded_at = CASE WHEN ${state.problem === null} THEN now() ELSE succeeded_at END,
      problem = ${state.problem && JSON.stringify(state.problem)}::jsonb,
      read_from = ${state.from},
      etag = ${state.etag}
    WHERE pk = ${pk}`);
}

/** Whether the source of a list is due. Answered by destination_list_polled, and for the instance by destination_list_instance. */
export function isDueAfter(seconds: string): string {
  return `(source IS NOT NULL OR workspace_pk IS NULL)
    AND (polled_at IS NULL OR polled_at <= now() - make_interval(secs => ${seconds}))`;
}

/** Takes lists whose source is due. Two processes never take the same one. */
export function takeDueLists(everySeconds: number, max: number) {
  return query<ListRow>({
    text: `
      UPDATE destination_list
      SET polled_at = now()
      WHERE pk IN (
        SELECT pk
        FROM destination_list
        WHERE ${isDueAfter("$1")}
        ORDER BY polled_at NULLS FIRST
        LIMIT $2
        FOR UPDATE SKIP LOCKED
      )
      RETURNING ${columns}`,
    values: [everySeconds, max],
  });
}
