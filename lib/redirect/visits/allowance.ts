/**
 * Links with a click limit. Each visit is counted in PostgreSQL before its visitor is redirected.
 * Concurrent visits share one statement per link, which counts under the lock of its row and reads
 * the committed limit, so that all processes together never exceed it. If a process dies, visits
 * that it counted stay counted.
 */
import { withTimeout } from "#lib/basics/bounds";
import { GroupCommit } from "#lib/platform/batches";
import { query, sql } from "#lib/platform/postgres";

const batchMax = 1_000;
const writesMax = 2;
const answerMaxMs = 2_000;

const lane = new GroupCommit<number, boolean>({ batchMax, writesMax }, takeVisits);

/** False: no visit is left. Throws if PostgreSQL does not answer in time. */
export function takeVisit(linkPk: number): Promise<boolean> {
  return withTimeout(answerMaxMs, () => lane.add(linkPk));
}

/** Whether a visit would be allowed. Takes none. */
export async function hasVisitLeft(linkPk: number): Promise<boolean> {
  // Answered by link_pkey, link_allowance_pkey and link_stat_pkey.
  const [row] = await withTimeout(answerMaxMs, () =>
    query<{ left: boolean }>(sql`
      SELECT coalesce(used, link_stat.clicks, 0) < coalesce(max_clicks, 2147483647) AS left
      FROM link
      LEFT JOIN link_allowance ON link_allowance.link_pk = link.pk
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE link.pk = ${linkPk}`),
  );
  return row?.left === true;
}

/** If too few visits are left, the earliest ones get them. */
async function takeVisits(linkPks: readonly number[]): Promise<boolean[]> {
  const wanted = new Map<number, number>();
  for (const linkPk of linkPks) wanted.set(linkPk, (wanted.get(linkPk) ?? 0) + 1);
  // One statement per link holds one lock, so processes cannot deadlock.
  const left = new Map(
    await Promise.all(
      [...wanted].map(
        async ([linkPk, visits]) => [linkPk, await takeUpTo(linkPk, visits)] as const,
      ),
    ),
  );
  return linkPks.map((linkPk) => {
    const granted = left.get(linkPk) ?? 0;
    left.set(linkPk, granted - 1);
    return granted > 0;
  });
}

async function takeUpTo(linkPk: number, visits: number): Promise<number> {
  const granted = await addVisits(linkPk, visits);
  if (granted !== undefined) return granted;
  await insertAllowance(linkPk);
  return (await addVisits(linkPk, visits)) ?? 0;
}

async function addVisits(linkPk: number, visits: number): Promise<number | undefined> {
  const [row] = await query<{ granted: number }>({
    name: "redirect-take-visits",
    // Answered by link_allowance_pkey and link_pkey. Without a limit all visits are allowed.
    text: `
      UPDATE link_allowance
      SET
        used = used + least($2, greatest(coalesce(link.max_clicks, 2147483647) - used, 0)),
        granted = least($2, greatest(coalesce(link.max_clicks, 2147483647) - used, 0))
      FROM link
      WHERE link_allowance.link_pk = $1
        AND link.pk = link_allowance.link_pk
      RETURNING granted`,
    values: [linkPk, visits],
  });
  return row?.granted;
}

/** Visits from before the limit was set count too. */
async function insertAllowance(linkPk: number): Promise<void> {
  // Answered by link_pkey and link_stat_pkey.
  await query(sql`
    INSERT INTO link_allowance (link_pk, used, granted)
    SELECT link.pk, least(coalesce(link_stat.clicks, 0), 2147483647), 0
    FROM link
    LEFT JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link.pk = ${linkPk}
    ON CONFLICT (link_pk) DO NOTHING`);
}
