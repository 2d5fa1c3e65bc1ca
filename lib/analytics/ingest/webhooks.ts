/** What webhooks are told about clicks of people, in the transaction that counts them. */
import { presentClick } from "#lib/analytics/reports";
import { findByPks, presentFound } from "#lib/links/presenting";
import { slicesOf } from "#lib/platform/batches";
import { type Connection, sql } from "#lib/platform/postgres";
import {
  addEvents,
  type Listener,
  listListening,
  type NewEvent,
} from "#lib/tenancy/webhook-events";
import { campaignEvents } from "./campaign-clicks.ts";
import type { Click } from "./enrich.ts";

/** Per event of the type `link.clicks`. */
const clicksPerEvent = 100;

/** After the clicks were added to the counters of their links. */
export async function recordClicks(tx: Connection, clicks: readonly Click[]): Promise<void> {
  const groups = new Map<number, Click[]>();
  for (const click of clicks) {
    if (click.botKind !== null) continue;
    const group = groups.get(click.event.workspacePk) ?? [];
    groups.set(click.event.workspacePk, group);
    group.push(click);
  }
  if (groups.size === 0) return;
  const listening = await listListening(
    tx,
    [...groups.keys()],
    ["link.clicked", "link.clicks", "campaign.clicked"],
  );
  for (const [workspacePk, listener] of listening) {
    const own = groups.get(workspacePk) ?? [];
    await addEvents(tx, await eventsOf(tx, { workspacePk, ...listener }, own));
  }
}

async function eventsOf(
  tx: Connection,
  { workspacePk, workspaceId, types }: Listener & { workspacePk: number },
  clicks: readonly Click[],
): Promise<NewEvent[]> {
  const pks = [...new Set(clicks.map(({ event }) => event.linkPk))];
  const rows = await findByPks(workspacePk, pks, tx);
  const presented = await presentFound({ workspaceId }, rows, tx);
  const links = new Map(rows.map(({ pk }, at) => [pk, presented[at]]));
  const firsts = firstClicks(clicks, await loadTotals(tx, pks));
  const told = clicks.flatMap((click) => {
    const link = links.get(click.event.linkPk);
    if (!link) return []; // deleted meanwhile
    const facts = { ...click, at: new Date(click.event.at), referer_url: click.refererUrl };
    const shown = presentClick({ ...facts, ua: click.event.userAgent }, link.url);
    return [{ click: shown, link, first: firsts.has(click) }];
  });
  return [
    ...(types.has("link.clicked")
      ? told.map((data) => ({
          workspacePk,
          type: "link.clicked" as const,
          linkId: data.link.id,
          data,
        }))
      : []),
    ...(types.has("campaign.clicked") ? await campaignEvents(tx, workspacePk, told) : []),
    ...(types.has("link.clicks")
      ? [...slicesOf(told, clicksPerEvent)].map((part) => ({
          workspacePk,
          type: "link.clicks" as const,
          data: { clicks: part },
        }))
      : []),
  ];
}

/** The clicks of links so far. Read only where a webhook wants them: as a result of every count it cost 2 µs a click. */
async function loadTotals(
  tx: Connection,
  pks: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // Answered by link_stat_pkey.
  const rows = await tx.query<{ link_pk: number; clicks: number }>(sql`
    SELECT link_pk, clicks
    FROM link_stat
    WHERE link_pk = ANY(${pks}::bigint[])`);
  return new Map(rows.map(({ link_pk, clicks }) => [link_pk, clicks]));
}

/** The first click of each link that had none before. */
function firstClicks(
  clicks: readonly Click[],
  totals: ReadonlyMap<number, number>,
): ReadonlySet<Click> {
  const firsts = new Map<number, { click: Click; count: number }>();
  for (const click of clicks) {
    const known = firsts.get(click.event.linkPk);
    const isEarlier = !known || click.event.at < known.click.event.at;
    firsts.set(click.event.linkPk, {
      click: isEarlier ? click : known.click,
      count: (known?.count ?? 0) + 1,
    });
  }
  return new Set(
    [...firsts].flatMap(([pk, { click, count }]) => (totals.get(pk) === count ? [click] : [])),
  );
}
