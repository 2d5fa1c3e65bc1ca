import type { Prices } from "#lib/outreach/segments/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Variant } from "./schema.ts";

export interface CampaignFields {
  name: string;
  kind: "marketing" | "service";
  consent_source: string | null;
  consent_on: string | null;
  sender_name: string | null;
  opt_out_text: string | null;
  link_scheme: boolean;
  default_country: string;
  columns: { name: string; personal: boolean }[];
  variants: Variant[];
  destination: string;
  link: Record<string, unknown>;
  link_days: number | null;
  check_destination: boolean;
  prices: Prices | null;
  people_days: number;
}

export interface CampaignRow extends CampaignFields {
  pk: number;
  id: string;
  recipients: number;
  refused: number;
  last_position: number;
  created_at: Date;
  added_at: Date | null;
  erased_at: Date | null;
}

const columns = `
  pk, id, name, kind, consent_source, consent_on::text AS consent_on, sender_name, opt_out_text,
  link_scheme, default_country, columns, variants, destination, link, link_days, check_destination,
  prices, people_days, recipients, refused, last_position, created_at, added_at, erased_at`;

export async function insertCampaign(
  tx: Connection,
  owner: { id: string; workspacePk: number; userPk: number },
  fields: CampaignFields,
): Promise<CampaignRow | undefined> {
  const names = Object.keys(fields);
  const places = names.map((_, at) => `$${at + 4}`).join(", ");
  return await tx.one<CampaignRow>({
    // The names are those of CampaignFields.
    text: `
      INSERT INTO campaign (id, workspace_pk, user_pk, ${names.join(", ")})
      VALUES ($1, $2, $3, ${places})
      RETURNING ${columns}`,
    values: [owner.id, owner.workspacePk, owner.userPk, ...valuesOf(fields)],
  });
}

export async function updateCampaign(
  tx: Connection,
  pk: number,
  fields: CampaignFields,
): Promise<CampaignRow | undefined> {
  const names = Object.keys(fields);
  const changes = names.map((name, at) => `${name} = $${at + 2}`).join(", ");
  return await tx.one<CampaignRow>({
    // The names are those of CampaignFields. Answered by campaign_pkey.
    text: `
      UPDATE campaign
      SET ${changes}
      WHERE pk = $1
      RETURNING ${columns}`,
    values: [pk, ...valuesOf(fields)],
  });
}

/** Arrays and objects become JSON: the driver would make PostgreSQL arrays. */
function valuesOf(fields: CampaignFields): unknown[] {
  return Object.values(fields).map((value: unknown) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : value,
  );
}

export interface Reader {
  workspacePk: number;
  creatorPk: number | null;
}

export async function findCampaignRow(
  { workspacePk, creatorPk }: Reader,
  id: string,
  tx?: Connection,
): Promise<CampaignRow | undefined> {
  return await query.on(tx).one<CampaignRow>({
    // Answered by campaign_id_key.
    // defence: campaign-of-workspace
    text: `
      SELECT ${columns}
      FROM campaign
      WHERE id = $1
        AND workspace_pk = $2
        AND ($3::int IS NULL OR user_pk = $3)
        AND deleted_at IS NULL
      ${tx ? "FOR UPDATE" : ""}`,
    values: [id, workspacePk, creatorPk],
  });
}

export async function listCampaignRows(
  { workspacePk, creatorPk }: Reader,
  afterId: string | null,
  limit: number,
): Promise<CampaignRow[]> {
  return await query<CampaignRow>({
    // Answered by campaign_list.
    text: `
      SELECT ${columns}
      FROM campaign
      WHERE workspace_pk = $1
        AND ($2::int IS NULL OR user_pk = $2)
        AND deleted_at IS NULL
        AND ($3::text IS NULL OR pk < (
          SELECT pk FROM campaign WHERE id = $3 AND workspace_pk = $1
        ))
      ORDER BY pk DESC
      LIMIT $4`,
    values: [workspacePk, creatorPk, afterId, limit],
  });
}

export async function countCampaigns(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by campaign_list.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM campaign
    WHERE workspace_pk = ${workspacePk}
      AND deleted_at IS NULL`);
  return row?.count ?? 0;
}

export async function markDeleted(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`UPDATE campaign SET deleted_at = now() WHERE pk = ${pk}`);
}

/** Locks a campaign until the commit. False if it was deleted or its personal data was erased. */
export async function lockOpen(tx: Connection, pk: number): Promise<boolean> {
  // Answered by campaign_pkey.
  return await tx.any(sql`
    SELECT 1
    FROM campaign
    WHERE pk = ${pk}
      AND deleted_at IS NULL
      AND erasing_at IS NULL
    FOR UPDATE`);
}

/** Adds to the counts and returns the position before the new rows. The campaign must be locked. */
export async function countAdded(
  tx: Connection,
  pk: number,
  { recipients, refused, rows }: { recipients: number; refused: number; rows: number },
): Promise<number> {
  const [row] = await tx.query<{ last_position: number }>(sql`
    UPDATE campaign
    SET recipients = recipients + ${recipients},
      refused = refused + ${refused},
      last_position = last_position + ${rows},
      added_at = now()
    WHERE pk = ${pk}
    RETURNING last_position`);
  return (row?.last_position ?? 0) - rows;
}
