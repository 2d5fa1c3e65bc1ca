/** Recipients of another campaign as rows to add. Their phones are decrypted a batch at a time. */
import { unsealPerson } from "#lib/outreach/people";
import { type LinkedRow, withClicked } from "#lib/outreach/recipient-links";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { derivedId, type GivenRecipient } from "./mapping.ts";
import type { Audience } from "./schema.ts";
import type { SourceRow } from "./store.ts";

interface PersonRow extends LinkedRow {
  position: number;
  id: string;
  key_version: number;
  sealed: Buffer;
}

function clickedOf(audience: Audience | null): boolean | undefined {
  if (audience === "clicked") return true;
  return audience === "not_clicked" ? false : undefined;
}

export async function sourceRowsOf(
  row: SourceRow,
  after: number,
  limit: number,
): Promise<{ line: number; row: GivenRecipient }[]> {
  const keys = await openPeopleKeys(row.workspace_pk);
  const names = new Set(Object.keys(row.mapping?.columns ?? {}));
  const people: PersonRow[] = [];
  for (let position = after; ; ) {
    const part = await listPeople(row, position, limit);
    people.push(...(await withClicked(part, clickedOf(row.audience))));
    const last = part.at(-1);
    if (!last || people.length >= limit) break;
    position = last.position;
  }
  return people.slice(0, limit).map(({ position, id, key_version: version, sealed }) => {
    const { phone, columns } = unsealPerson(keys, { version, sealed }, id);
    const known = Object.entries(columns).filter(([name]) => names.has(name));
    const messageId = derivedId(row.pk, position);
    return { line: position, row: { messageId, phone, columns: Object.fromEntries(known) } };
  });
}

function listPeople(
  { from_campaign_id, workspace_pk }: SourceRow,
  after: number,
  limit: number,
): Promise<PersonRow[]> {
  // Answered by campaign_recipient_pkey, in the order of positions.
  return query(sql`
    SELECT recipient.position, recipient.id, recipient.key_version, recipient.sealed,
      recipient.link_pk, recipient.link_id
    FROM campaign
    JOIN campaign_recipient AS recipient ON recipient.campaign_pk = campaign.pk
    WHERE campaign.id = ${from_campaign_id}
      AND campaign.workspace_pk = ${workspace_pk}
      AND campaign.deleted_at IS NULL
      AND recipient.position > ${after}
      AND recipient.sealed IS NOT NULL
    ORDER BY recipient.position
    LIMIT ${limit}`);
}

export async function countAudience(
  { workspacePk }: WorkspaceScope,
  campaignId: string,
  audience: Audience,
): Promise<number> {
  if (audience === "clicked") return await countClicked(workspacePk, campaignId);
  const people = await countPeople(workspacePk, campaignId);
  if (audience === "all") return people;
  return people - (await countClicked(workspacePk, campaignId));
}

async function countPeople(workspacePk: number, campaignId: string): Promise<number> {
  // Answered by campaign_recipient_pkey: all rows of the campaign.
  const [row] = await query<{ rows: number }>(sql`
    SELECT count(*) AS rows
    FROM campaign
    JOIN campaign_recipient AS recipient ON recipient.campaign_pk = campaign.pk
    WHERE campaign.id = ${campaignId}
      AND campaign.workspace_pk = ${workspacePk}
      AND recipient.sealed IS NOT NULL`);
  return row?.rows ?? 0;
}

async function countClicked(workspacePk: number, campaignId: string): Promise<number> {
  // Answered by campaign_recipient_pkey: all rows of the campaign; then by link_pkey and link_stat_pkey.
  const [row] = await query<{ rows: number }>(sql`
    SELECT count(*) AS rows
    FROM (
      SELECT recipient.link_pk, recipient.link_id
      FROM campaign
      JOIN campaign_recipient AS recipient ON recipient.campaign_pk = campaign.pk
      WHERE campaign.id = ${campaignId}
        AND campaign.workspace_pk = ${workspacePk}
        AND recipient.sealed IS NOT NULL
    ) AS recipient
    JOIN link
      ON link.pk = recipient.link_pk
      AND link.id = recipient.link_id
    JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link_stat.level > 0`);
  return row?.rows ?? 0;
}
