/** Reads recipients, and the counts and costs of a campaign. */
import { presentId } from "#lib/basics/ids";
import { findWithContext, type LinkWithContext, presentBriefly } from "#lib/links/presenting";
import { type Person, seesPeople, shownPhone, unsealPerson } from "#lib/outreach/people";
import {
  hasClicked,
  type LinkClicks,
  type LinkedRow,
  withLinkClicks,
} from "#lib/outreach/recipient-links";
import { addCosts, costOf } from "#lib/outreach/segments";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { type OpenCampaign, openTemplates, renderStored } from "./candidates.ts";
import type { CampaignStatus, ListRecipients, Recipient } from "./schema.ts";
import type { CampaignRow } from "./store.ts";

export async function listRecipientPage(
  scope: WorkspaceScope,
  campaign: CampaignRow,
  filter: ListRecipients,
): Promise<Recipient[]> {
  const rows = await findRecipientPage(campaign.pk, filter);
  const ids = rows.flatMap(({ link_id: id }) => id ?? []);
  const [keys, links] = await Promise.all([
    openPeopleKeys(scope.workspacePk),
    findWithContext(scope, ids),
  ]);
  const page = { scope, keys, campaign: openTemplates(campaign), links };
  return rows.map((row) => present(page, row));
}

interface Page {
  scope: WorkspaceScope;
  keys: PeopleKeys;
  campaign: OpenCampaign;
  links: ReadonlyMap<string, LinkWithContext>;
}

function present(page: Page, row: RecipientRow): Recipient {
  const link = row.link_id === null ? undefined : page.links.get(row.link_id);
  const shortLink = link ? presentBriefly(link.row, link.context).shortLink : null;
  return {
    position: row.position,
    recipientId: presentId("rcp", row.id),
    messageId: row.message_id,
    status: row.state,
    code: row.reason,
    ...presentPerson(page, row, shortLink),
    optedOut: row.opted_out,
    country: row.country,
    variant: nameOf(page.campaign, row.variant),
    parts: row.parts,
    linkId: row.link_id === null ? null : presentId("link", row.link_id),
    shortLink,
    clicks: row.visits?.clicks ?? 0,
    lastClickedAt: row.visits?.last_click_at?.toISOString() ?? null,
  };
}

function presentPerson(
  { scope, keys, campaign }: Page,
  row: RecipientRow,
  shortLink: string | null,
): Pick<Recipient, "phone" | "columns" | "text"> {
  const { sealed, key_version: version } = row;
  if (!sealed || version === null) return { phone: null, columns: null, text: null };
  const person = unsealPerson(keys, { version, sealed }, row.id);
  const phone = shownPhone(scope, person.phone);
  if (!seesPeople(scope)) return { phone, columns: null, text: null };
  const text = shortLink && !row.opted_out ? textOf(campaign, row, person, shortLink) : null;
  return { phone, columns: person.columns, text };
}

function nameOf({ row }: OpenCampaign, variant: number | null): string | null {
  return variant === null ? null : (row.variants[variant]?.name ?? null);
}

function textOf(
  campaign: OpenCampaign,
  { id, country, variant }: RecipientRow,
  { columns }: Person,
  link: string,
): string | null {
  return renderStored(
    campaign,
    { id, columns, country: country ?? "", variant: variant ?? 0 },
    link,
  );
}

interface CountRow {
  state: "ready" | "refused";
  reason: string | null;
  variant: number | null;
  country: string | null;
  rows: number;
  parts: number;
  saved: number;
}

export async function statusOf(
  campaign: CampaignRow,
): Promise<Omit<CampaignStatus, "sending" | "destination">> {
  const [counts, clickedOf] = await Promise.all([
    countRows(campaign.pk),
    countClicked(campaign.pk),
  ]);
  const { prices } = campaign;
  const ready = counts.filter(({ state }) => state === "ready");
  const countries = groupOf(ready, ({ country }) => country ?? "").map(([country, rows]) => ({
    country,
    recipients: sum(rows, "rows"),
    parts: sum(rows, "parts"),
    cost: costOf(sum(rows, "parts"), country, prices),
    costSaved: costOf(sum(rows, "saved"), country, prices),
  }));
  return {
    recipients: sum(ready, "rows"),
    clicked: [...clickedOf.values()].reduce((total, clicked) => total + clicked, 0),
    parts: sum(ready, "parts"),
    partsSaved: sum(ready, "saved"),
    currency: prices?.currency ?? null,
    cost: prices && addCosts(countries.map(({ cost }) => cost)),
    costSaved: prices && addCosts(countries.map(({ costSaved }) => costSaved)),
    refused: groupOf(
      counts.filter(({ state }) => state === "refused"),
      ({ reason }) => reason ?? "",
    ).map(([code, rows]) => ({ code, rows: sum(rows, "rows") })),
    variants: campaign.variants.map(({ name }, at) => {
      const rows = ready.filter(({ variant }) => variant === at);
      return { name, recipients: sum(rows, "rows"), clicked: clickedOf.get(at) ?? 0 };
    }),
    countries: countries.map(({ costSaved: _saved, ...rest }) => rest),
  };
}

function sum(rows: readonly CountRow[], name: "rows" | "parts" | "saved"): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function groupOf(
  rows: readonly CountRow[],
  nameOfRow: (row: CountRow) => string,
): [string, CountRow[]][] {
  const groups = new Map<string, CountRow[]>();
  for (const row of rows) {
    const name = nameOfRow(row);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

async function countRows(campaignPk: number): Promise<CountRow[]> {
  // Answered by campaign_recipient_pkey: all rows of the campaign.
  return await query<CountRow>(sql`
    SELECT recipient.state, recipient.reason, recipient.variant, recipient.country,
      count(*) AS rows,
      coalesce(sum(recipient.parts), 0)::bigint AS parts,
      coalesce(sum(greatest(recipient.url_parts - recipient.parts, 0)), 0)::bigint AS saved
    FROM campaign_recipient AS recipient
    WHERE recipient.campaign_pk = ${campaignPk}
    GROUP BY recipient.state, recipient.reason, recipient.variant, recipient.country`);
}

async function countClicked(campaignPk: number): Promise<Map<number | null, number>> {
  // Answered by campaign_recipient_pkey, all rows of the campaign, then link_pkey and
  // link_stat_pkey.
  const rows = await query<{ variant: number | null; clicked: number }>(sql`
    SELECT recipient.variant, count(*) AS clicked
    FROM (
      SELECT link_pk, link_id, variant
      FROM campaign_recipient
      WHERE campaign_pk = ${campaignPk}
        AND state = 'ready'
    ) AS recipient
    JOIN link
      ON link.pk = recipient.link_pk
      AND link.id = recipient.link_id
    JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link_stat.level > 0
    GROUP BY recipient.variant`);
  return new Map(rows.map(({ variant, clicked }) => [variant, clicked]));
}

const readMax = 10_000;

interface StoredRow extends LinkedRow {
  position: number;
  id: string;
  message_id: string;
  state: "ready" | "refused";
  reason: string | null;
  key_version: number | null;
  sealed: Buffer | null;
  opted_out: boolean;
  country: string | null;
  variant: number | null;
  parts: number | null;
}

type RecipientRow = StoredRow & { visits: LinkClicks | undefined };

/** In the order of positions. Reads one batch after the other until the page is full. */
async function findRecipientPage(
  campaignPk: number,
  { pageSize, startingAfter, status, clicked }: ListRecipients,
): Promise<RecipientRow[]> {
  const page: RecipientRow[] = [];
  let after = startingAfter;
  for (let size = pageSize; ; size = Math.min(size * 2, readMax)) {
    const rows = await listRows(campaignPk, { status: status ?? null, after, size });
    page.push(...(await withLinkClicks(rows)).filter((row) => isWanted(row, clicked)));
    const last = rows.at(-1);
    if (!last || page.length >= pageSize || rows.length < size) return page.slice(0, pageSize);
    after = last.position;
  }
}

function isWanted({ state, visits }: RecipientRow, clicked: boolean | undefined): boolean {
  if (clicked === undefined) return true;
  return state === "ready" && hasClicked(visits) === clicked;
}

interface Part {
  status: StoredRow["state"] | null;
  after: number;
  size: number;
}

function listRows(campaignPk: number, { status, after, size }: Part): Promise<StoredRow[]> {
  // Answered by campaign_recipient_pkey, in the order of positions.
  return query(sql`
    SELECT recipient.position, recipient.id, recipient.message_id, recipient.state,
      recipient.reason, recipient.key_version, recipient.sealed, recipient.country,
      recipient.variant, recipient.parts, recipient.link_pk, recipient.link_id,
      EXISTS (
        SELECT 1
        FROM opt_out
        WHERE opt_out.workspace_pk = recipient.workspace_pk
          AND opt_out.phone_hash = recipient.phone_hash
      ) AS opted_out
    FROM campaign_recipient AS recipient
    WHERE recipient.campaign_pk = ${campaignPk}
      AND recipient.position > ${after}
      AND (${status}::text IS NULL OR recipient.state = ${status})
    ORDER BY recipient.position
    LIMIT ${size}`);
}
