/** Whether a click is its visitor's first of the day: on the link, and in the workspace. */
import { dayOf } from "#lib/days";
import { type Connection, query, sql } from "#lib/postgres";
import { wholeWorkspace } from "#lib/rollups";
import type { Click } from "./enrich.ts";

/** Per click. Sums of these flags are the visitors of a bucket, so buckets add up. */
export interface First {
  link: boolean[];
  workspace: boolean[];
}

/** Claims the visitors of these clicks. Bots are no visitors, and a click without an address has none. */
export async function claimVisitors(tx: Connection, clicks: readonly Click[]): Promise<First> {
  const names = clicks.map(namesOf);
  const wanted = new Map<string, string[]>();
  for (const name of names) {
    if (!name) continue;
    wanted.set(name.link, name.link.split(" "));
    wanted.set(name.workspace, name.workspace.split(" "));
  }
  const unseen = await insertUnseen(tx, wanted);
  // Only the first click of a batch is the visitor's first.
  return {
    link: names.map((name) => name !== undefined && unseen.delete(name.link)),
    workspace: names.map((name) => name !== undefined && unseen.delete(name.workspace)),
  };
}

function namesOf({ visitor, botKind, event }: Click) {
  if (visitor === null || botKind !== null) return undefined;
  const place = `${dayOf(event.at)} ${event.workspacePk}`;
  return {
    link: `${place} ${event.linkPk} ${visitor}`,
    workspace: `${place} ${wholeWorkspace} ${visitor}`,
  };
}

async function insertUnseen(
  tx: Connection,
  wanted: ReadonlyMap<string, string[]>,
): Promise<Set<string>> {
  if (wanted.size === 0) return new Set();
  // Sorted, so that two shards never wait for each other in a circle.
  const parts = [...wanted.keys()].sort().map((name) => wanted.get(name) ?? []);
  const column = (which: number) => `{${parts.map((part) => part[which]).join(",")}}`;
  const fresh = await query<{ name: string }>(
    sql`
      INSERT INTO analytics.visitor (day, workspace_pk, link_pk, visitor)
      SELECT *
      FROM unnest(
        ${column(0)}::date[],
        ${column(1)}::int[],
        ${column(2)}::bigint[],
        ${column(3)}::bigint[]
      )
      ON CONFLICT DO NOTHING
      RETURNING concat_ws(' ', day, workspace_pk, link_pk, visitor) AS name`,
    tx,
  );
  return new Set(fresh.map(({ name }) => name));
}
