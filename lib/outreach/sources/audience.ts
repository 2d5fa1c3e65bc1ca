/** Recipients of another campaign as rows of recipients. Their phones are decrypted a batch at a time. */
import { unsealPerson } from "#lib/outreach/people";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { derivedId, type GivenRecipient } from "./mapping.ts";
import type { Audience } from "./schema.ts";
import type { SourceRow } from "./store.ts";

interface PersonRow {
  position: number;
  id: string;
  key_version: number;
  sealed: Buffer;
}

/** Null: everyone. */
function clickedOf(audience: Audience | null): boolean | null {
  if (audience === "clicked") return true;
  return audience === "not_clicked" ? false : null;
}

/** Messages after a position of the other campaign. `line`: their position. */
export async function sourceRowsOf(
  row: SourceRow,
  after: number,
  limit: number,
): Promise<{ line: number; row: GivenRecipient }[]> {
  const keys = await openPeopleKeys(row.workspace_pk);
  const names = new Set(Object.keys(row.mapping?.columns ?? {}));
  const rows = await query<PersonRow>(
    // Answered by campaign_recipient_pkey, in the order of positions, and link_pkey. OFFSET 0 keeps the order: joined, a
    // page of a million recipients would read all of them. The pk of a deleted link is used again.
    sql`
      SELECT recipient.position, recipient.id, recipient.key_version, recipient.sealed
      FROM campaign
      JOIN campaign_recipient AS recipient ON recipient.campaign_pk = campaign.pk
      LEFT JOIN LATERAL (
        SELECT link_stat.level
        FROM link
        JOIN link_stat ON link_stat.link_pk = link.pk
        WHERE link.pk = recipient.link_pk
          AND link.id = recipient.link_id
        OFFSET 0
      ) AS stat ON true
      WHERE campaign.id = ${row.from_campaign_id}
        AND campaign.workspace_pk = ${row.workspace_pk}
        AND campaign.deleted_at IS NULL
        AND recipient.position > ${after}
        AND recipient.sealed IS NOT NULL
        AND (
          ${clickedOf(row.audience)}::boolean IS NULL
          OR (coalesce(stat.level, 0) > 0) = ${clickedOf(row.audience)}
        )
      ORDER BY recipient.position
      LIMIT ${limit}`,
  );
  return rows.map(({ position, id, key_version: version, sealed }) => {
    const { phone, columns } = unsealPerson(keys, { version, sealed }, id);
    const known = Object.entries(columns).filter(([name]) => names.has(name));
    const messageId = derivedId(row.pk, position);
    return { line: position, row: { messageId, phone, columns: Object.fromEntries(known) } };
  });
}

/** How many it has now. */
export async function countAudience(
  { workspacePk }: WorkspaceScope,
  campaignId: string,
  audience: Audience,
): Promise<number> {
  const [row] = await query<{ rows: number }>(
    // Answered by campaign_recipient_pkey: all rows of the campaign.
    sql`
      SELECT count(*) AS rows
      FROM campaign
      JOIN campaign_recipient AS recipient ON recipient.campaign_pk = campaign.pk
      LEFT JOIN link
        ON link.pk = recipient.link_pk
        AND link.id = recipient.link_id
      LEFT JOIN link_stat AS stat ON stat.link_pk = link.pk
      WHERE campaign.id = ${campaignId}
        AND campaign.workspace_pk = ${workspacePk}
        AND recipient.sealed IS NOT NULL
        AND (
          ${clickedOf(audience)}::boolean IS NULL
          OR (coalesce(stat.level, 0) > 0) = ${clickedOf(audience)}
        )`,
  );
  return row?.rows ?? 0;
}
