/**
 * Erases the statistics of deleted links and workspaces, day by day. Deleting one puts it on the list
 * (links in lib/links/link-rows, workspaces by a trigger). The clicks that a link contributed
 * to its workspace are erased too: slots and days that lose clicks are rolled again, as far back as
 * raw clicks exist. A second round runs when no event in transit can be accepted any more.
 */
import { blocksOf } from "#lib/analytics/single-clicks";
import { listClickDays } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { rewriteOwn } from "./compaction.ts";
import { slotsKeptDays } from "./days.ts";
import { roll, rollStatement, rollTimeoutMs } from "./dimensions.ts";
import { lockRollups } from "./lock.ts";
import { applyMovesOf } from "./owners.ts";

/** Events older than 7 days are refused. */
const secondRoundDays = 8;
const linksAtOnce = 500;
const batchesMax = 200;

interface Erasure {
  pk: number;
  workspacePk: number;
  linkPk: number | null;
  rounds: number;
}

export async function eraseDue(): Promise<number> {
  let erased = 0;
  for (let batch = 0; batch < batchesMax; batch++) {
    const due = await listDue();
    if (due.length === 0) break;
    await eraseAll(due);
    erased += due.length;
  }
  return erased;
}

function listDue(): Promise<Erasure[]> {
  // Answered by erasure_due.
  return query<Erasure>(sql`
    SELECT pk, workspace_pk AS "workspacePk", link_pk AS "linkPk", rounds
    FROM analytics.erasure
    WHERE due_at <= now()
    ORDER BY due_at
    LIMIT ${linksAtOnce}`);
}

async function eraseAll(due: readonly Erasure[]): Promise<void> {
  const links = due.flatMap(({ linkPk }) => (linkPk === null ? [] : [linkPk]));
  const workspaces = due.flatMap((one) => (one.linkPk === null ? [one.workspacePk] : []));
  const clicked = await listClicked(links, workspaces);
  if (clicked.length + workspaces.length > 0) {
    for (const day of await listClickDays()) await eraseClicks(day, clicked, workspaces);
    // After the rows: a row that was not found has moved into a block before.
    // defence: blocks-are-erased
    await eraseBlocks(clicked, workspaces);
    await eraseRollups(due, clicked, workspaces);
  }
  await transaction(async (tx) => {
    const pks = due.map(({ pk }) => pk);
    await eraseConversions(tx, clicked, workspaces);
    await eraseContactVisits(tx, links);
    await tx.query(sql`DELETE FROM link_stat WHERE link_pk = ANY(${clicked}::bigint[])`);
    await tx.query(sql`DELETE FROM link_stat WHERE workspace_pk = ANY(${workspaces}::int[])`);
    await tx.query(
      sql`DELETE FROM analytics.erasure WHERE pk = ANY(${pks}::bigint[]) AND rounds > 0`,
    );
    await tx.query(sql`
      UPDATE analytics.erasure
      SET rounds = 1,
        due_at = now() + ${secondRoundDays} * interval '1 day'
      WHERE pk = ANY(${pks}::bigint[])`);
  });
}

/** Keeps customers: they belong to the workspace, and may have bought through other links. */
async function eraseConversions(
  tx: Connection,
  links: readonly number[],
  workspaces: readonly number[],
): Promise<void> {
  // Answered by conversion_link, conversion_workspace and customer_link.
  await tx.query(sql`
    DELETE FROM analytics.conversion
    WHERE link_pk = ANY(${links}::bigint[])
      OR workspace_pk = ANY(${workspaces}::int[])`);
  await tx.query(sql`UPDATE customer SET link_pk = NULL WHERE link_pk = ANY(${links}::bigint[])`);
}

/** Keeps answers but removes their link, because its pk may be used again. */
async function eraseContactVisits(tx: Connection, links: readonly number[]): Promise<void> {
  // Answered by contact_visit_link and contact_answer_link.
  await tx.query(sql`DELETE FROM contact_visit WHERE link_pk = ANY(${links}::bigint[])`);
  await tx.query(sql`
    UPDATE contact_answer
    SET link_pk = NULL,
      lead_due = false
    WHERE link_pk = ANY(${links}::bigint[])`);
}

/** Links without a counter were never visited. */
async function listClicked(links: number[], workspaces: number[]): Promise<number[]> {
  // Answered by link_stat_pkey.
  const rows = await query<{ pk: number }>(sql`
    SELECT link_pk AS pk
    FROM link_stat
    WHERE link_pk = ANY(${links}::bigint[])
      AND workspace_pk <> ALL(${workspaces}::int[])`);
  return rows.map(({ pk }) => pk);
}

/** Deletes by time instead of from the table of the day, which may be dropped at the same moment. */
function eraseClicks(day: Date, links: number[], workspaces: number[]): Promise<void> {
  return transaction(async (tx) => {
    await extendTimeout(tx, rollTimeoutMs);
    // Answered by click_link and click_workspace.
    const slots = await roll<{ workspace_pk: number; slot: Date }>(
      tx,
      `WITH gone AS (
        DELETE FROM analytics.click
        WHERE at >= $3::timestamptz
          AND at < $4::timestamptz
          AND (link_pk = ANY($1::bigint[]) OR workspace_pk = ANY($2::int[]))
        RETURNING workspace_pk, at
      )
      SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch') AS slot
      FROM gone
      WHERE workspace_pk <> ALL($2::int[])
      ORDER BY workspace_pk, slot`,
      [links, workspaces, day, new Date(day.getTime() + dayMs)],
    );
    await touchErased(tx, slots);
  });
}

/** The lock keeps a block from being joined with others meanwhile. */
async function eraseBlocks(links: number[], workspaces: number[]): Promise<void> {
  // Both are answered by click_block_values.
  const found = await query<{ workspacePk: number }>(
    rollStatement(
      `SELECT DISTINCT workspace_pk AS "workspacePk"
      FROM analytics.click_block
      WHERE link_pk && $1::bigint[] AND workspace_pk <> ALL($2::int[])
      ORDER BY 1`,
      [links, workspaces],
    ),
  );
  for (const { workspacePk } of found) {
    await rewriteOwn(workspacePk, {
      blocks: "block.workspace_pk = $1 AND block.link_pk && $2::bigint[]",
      keep: "part.link_pk <> ALL($2::bigint[])",
      values: [links],
      before: (tx) => touchBlocks(tx, workspacePk, links),
    });
  }
  for (const workspacePk of workspaces) {
    await rewriteOwn(workspacePk, {
      blocks: "block.workspace_pk = $1",
      keep: "part.at < '-infinity'",
      values: [],
    });
  }
}

async function touchBlocks(tx: Connection, workspacePk: number, links: number[]): Promise<void> {
  const clicks = blocksOf({ fields: ["at"], workspace: "$1", links: "$2::bigint[]" });
  const slots = await roll<{ workspace_pk: number; slot: Date }>(
    tx,
    `SELECT DISTINCT $1::int AS workspace_pk, date_bin('15 minutes', at, 'epoch') AS slot
    FROM (${clicks}) AS click
    ORDER BY slot`,
    [workspacePk, links],
  );
  await touchErased(tx, slots);
}

async function touchErased(
  tx: Connection,
  slots: readonly { workspace_pk: number; slot: Date }[],
): Promise<void> {
  if (slots.length === 0) return;
  const pks = slots.map(({ workspace_pk }) => workspace_pk);
  const starts = slots.map(({ slot }) => slot);
  await tx.query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT workspace_pk, slot
    FROM unnest(${pks}::int[], ${starts}::timestamptz[]) AS erased (workspace_pk, slot)
    WHERE slot >= now() - ${slotsKeptDays} * interval '1 day'
    ON CONFLICT (workspace_pk, slot) DO UPDATE
    SET marks = touched_slot.marks + 1`);
  // Days whose slots were dropped are counted from raw clicks.
  await tx.query(sql`
    INSERT INTO analytics.touched_day (workspace_pk, start, until, zone)
    SELECT DISTINCT day.workspace_pk, day.start, day.until, day.zone
    FROM unnest(${pks}::int[], ${starts}::timestamptz[]) AS erased (workspace_pk, slot)
    JOIN analytics.rolled_day AS day
      ON day.workspace_pk = erased.workspace_pk
      AND day.start <= erased.slot
      AND day.until > erased.slot
    WHERE erased.slot < now() - ${slotsKeptDays} * interval '1 day'
    ON CONFLICT (workspace_pk, start) DO UPDATE
    SET marks = touched_day.marks + 1`);
}

async function eraseRollups(
  due: readonly Erasure[],
  links: number[],
  workspaces: number[],
): Promise<void> {
  const ofLinks = ["link_slot", "link_day", "link_month", "busy_link"];
  const touched = ["touched_slot", "touched_day", "touched_month"];
  const owners = ["owner_day", "owner_month", "moved_link"];
  const ofWorkspaces = [...ofLinks, ...touched, ...owners, "rolled_day", "rolled_month"];
  await transaction(async (tx) => {
    await extendTimeout(tx, rollTimeoutMs);
    await lockRollups(
      tx,
      due.map(({ workspacePk }) => workspacePk),
    );
    await applyMovesOf(tx, links);
    for (const table of ["value_slot", "value_day", "value_month"]) {
      // Only busy links have values. Answered by value_slot_of and its equivalents.
      const text = `
        DELETE FROM analytics.${table} AS kept
        USING analytics.busy_link
        WHERE busy_link.link_pk = ANY($1::bigint[])
          AND kept.workspace_pk = busy_link.workspace_pk
          AND kept.link_pk = busy_link.link_pk`;
      await roll(tx, text, [links]);
      const all = `DELETE FROM analytics.${table} WHERE workspace_pk = ANY($1::int[])`;
      await roll(tx, all, [workspaces]);
    }
    for (const table of ofLinks) {
      const text = `DELETE FROM analytics.${table} WHERE link_pk = ANY($1::bigint[])`;
      await roll(tx, text, [links]);
    }
    for (const table of ofWorkspaces) {
      const text = `DELETE FROM analytics.${table} WHERE workspace_pk = ANY($1::int[])`;
      await roll(tx, text, [workspaces]);
    }
  });
}
