import { parseId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import {
  type Audience,
  type RecipientSource,
  type SourceMapping,
  type SourceState,
  sourceDays,
} from "./schema.ts";

export interface SourceRow {
  pk: number;
  id: string;
  campaign_pk: number;
  campaign_id: string;
  workspace_pk: number;
  user_pk: number;
  api_key_pk: number | null;
  name: string;
  audience: Audience | null;
  from_campaign_id: string | null;
  file_key: Buffer | null;
  bytes: number;
  width: number;
  records: number;
  heading: boolean;
  mapping: SourceMapping | null;
  state: SourceState;
  position: number;
  done: number;
  added: number;
  refused: number;
  problem: string | null;
  attempts: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const sourceColumns = `
  source.pk, source.id, source.campaign_pk,
  (SELECT campaign.id FROM campaign WHERE campaign.pk = source.campaign_pk) AS campaign_id, source.workspace_pk,
  source.user_pk, source.api_key_pk, source.name, source.audience, source.from_campaign_id,
  source.file_key, source.bytes, source.width, source.records, source.heading, source.mapping,
  source.state, source.position, source.done, source.added, source.refused, source.problem,
  source.attempts, source.created_at, source.started_at, source.finished_at`;

type NewSource = Pick<SourceRow, "id" | "name" | "records"> &
  Partial<
    Pick<
      SourceRow,
      "audience" | "from_campaign_id" | "file_key" | "bytes" | "width" | "heading" | "mapping"
    >
  >;

/** False if the campaign was deleted. */
export async function insertSource(
  tx: Connection,
  { workspacePk, userPk, apiKeyPk }: WorkspaceScope,
  campaignId: string,
  row: NewSource,
): Promise<boolean> {
  return await tx.any(sql`
    INSERT INTO recipient_source (
      id, campaign_pk, workspace_pk, user_pk, api_key_pk, name, audience, from_campaign_id,
      file_key, bytes, width, records, heading, mapping, state
    )
    SELECT ${row.id}, pk, ${workspacePk}, ${userPk}, ${apiKeyPk}, ${row.name},
      ${row.audience ?? null}, ${row.from_campaign_id ?? null}, ${row.file_key ?? null},
      ${row.bytes ?? 0}, ${row.width ?? 0}, ${row.records}, ${row.heading ?? false},
      ${row.mapping ? JSON.stringify(row.mapping) : null}::jsonb, 'ready'
    FROM campaign
    WHERE id = ${campaignId}
      AND workspace_pk = ${workspacePk}
      AND deleted_at IS NULL
    RETURNING 1`);
}

/** A source of a campaign that the actor may see. In a transaction, locks it. Throws not_found. */
export async function getSourceRow(
  scope: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<SourceRow> {
  const [row] =
    parseId("src", id) === undefined
      ? []
      : await query.on(tx).query<SourceRow>({
          // Answered by recipient_source_id_key.
          text: `
            SELECT ${sourceColumns}
            FROM recipient_source AS source
            JOIN campaign ON campaign.pk = source.campaign_pk
            WHERE source.id = $1
              AND source.workspace_pk = $2
              AND ($3::int IS NULL OR campaign.user_pk = $3)
              AND campaign.deleted_at IS NULL
            ${tx ? "FOR UPDATE OF source" : ""}`,
          values: [id, scope.workspacePk, onlyCreatorPk(scope)],
        });
  if (row) return row;
  throw new AppError("not_found", `Recipient source "${id}" not found in this workspace.`);
}

export interface CampaignFacts {
  id: string;
  name: string;
  columns: { name: string }[];
  defaultCountry: string;
}

/** A campaign that the actor may see. Throws not_found. */
export async function getCampaignFacts(scope: WorkspaceScope, id: string): Promise<CampaignFacts> {
  const facts = parseId("camp", id) === undefined ? undefined : await findFacts(scope, id);
  if (facts) return facts;
  throw new AppError("not_found", `Campaign "${id}" not found in this workspace.`);
}

async function findFacts(scope: WorkspaceScope, id: string): Promise<CampaignFacts | undefined> {
  // Answered by campaign_id_key.
  return await query.one<CampaignFacts>(sql`
    SELECT id, name, columns, default_country AS "defaultCountry"
    FROM campaign
    WHERE id = ${id}
      AND workspace_pk = ${scope.workspacePk}
      AND (${onlyCreatorPk(scope)}::int IS NULL OR user_pk = ${onlyCreatorPk(scope)})
      AND deleted_at IS NULL`);
}

export async function listSourceRows(
  { workspacePk }: WorkspaceScope,
  campaignId: string,
  afterId: string | null,
  limit: number,
): Promise<SourceRow[]> {
  return await query<SourceRow>({
    // Answered by recipient_source_list.
    text: `
      SELECT ${sourceColumns}
      FROM campaign
      JOIN recipient_source AS source ON source.campaign_pk = campaign.pk
      WHERE campaign.id = $1
        AND campaign.workspace_pk = $2
        AND ($3::text IS NULL OR source.pk < (SELECT pk FROM recipient_source WHERE id = $3))
      ORDER BY source.pk DESC
      LIMIT $4`,
    values: [campaignId, workspacePk, afterId, limit],
  });
}

export async function countStored(
  workspacePk: number,
  tx: Connection,
): Promise<{ sources: number; bytes: number }> {
  // Answered by recipient_source_workspace.
  const [kept] = await tx.query<{ sources: number; bytes: number }>(sql`
    SELECT count(*) AS sources, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM recipient_source
    WHERE workspace_pk = ${workspacePk}`);
  return kept ?? { sources: 0, bytes: 0 };
}

/** All workspaces together. There are only a few rows per workspace, so no index is needed. */
export async function sumBytes(tx: Connection): Promise<number> {
  const [stored] = await tx.query<{ bytes: number }>(
    sql`SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM recipient_source`,
  );
  return stored?.bytes ?? 0;
}

export async function updateSettings(
  tx: Connection,
  { pk, heading, mapping }: Pick<SourceRow, "pk" | "heading" | "mapping">,
): Promise<void> {
  await tx.query(sql`
    UPDATE recipient_source
    SET heading = ${heading}, mapping = ${JSON.stringify(mapping)}::jsonb
    WHERE pk = ${pk}`);
}

/** The links will belong to the actor. A worker may take the source at once. */
export async function markWaiting(
  tx: Connection,
  pk: number,
  { userPk, apiKeyPk }: WorkspaceScope,
  state: "waiting" | "undoing",
): Promise<void> {
  await tx.query(sql`
    UPDATE recipient_source
    SET state = ${state}, user_pk = ${userPk}, api_key_pk = ${apiKeyPk}, attempts = 0,
      problem = NULL, started_at = coalesce(started_at, now()), seen_at = '-infinity',
      finished_at = NULL
    WHERE pk = ${pk}`);
}

export async function markPaused(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`UPDATE recipient_source SET state = 'paused' WHERE pk = ${pk}`);
}

export async function markEnded(
  tx: Connection,
  pk: number,
  state: "done" | "failed" | "cancelled" | "undone",
  problem: string | null = null,
): Promise<number> {
  const [row] = await tx.query<{ refused: number }>(sql`
    UPDATE recipient_source
    SET state = ${state}, problem = ${problem}, finished_at = now()
    WHERE pk = ${pk}
    RETURNING refused`);
  return row?.refused ?? 0;
}

export async function hasClicks(
  tx: Connection,
  { pk, campaign_pk: campaignPk }: SourceRow,
): Promise<boolean> {
  // Answered by campaign_recipient_pkey: all rows of the campaign.
  return await tx.any(sql`
    SELECT 1
    FROM (
      SELECT link_pk, link_id
      FROM campaign_recipient
      WHERE campaign_pk = ${campaignPk}
        AND source_pk = ${pk}
    ) AS recipient
    JOIN link
      ON link.pk = recipient.link_pk
      AND link.id = recipient.link_id
    JOIN link_stat AS stat ON stat.link_pk = link.pk
    WHERE stat.level > 0
    LIMIT 1`);
}

/** Also locks the campaign, so that it cannot start before the commit. */
export async function isSent(
  tx: Connection,
  { pk, campaign_pk: campaignPk }: SourceRow,
): Promise<boolean> {
  await tx.query(sql`SELECT 1 FROM campaign WHERE pk = ${campaignPk} FOR UPDATE`);
  // Answered by campaign_sending_pkey, and campaign_recipient_pkey: all rows of the campaign.
  return await tx.any(sql`
    SELECT 1
    FROM campaign_sending
    WHERE campaign_pk = ${campaignPk}
      AND state IN ('scheduled', 'sending')
    UNION ALL
    SELECT 1
    FROM campaign_recipient AS recipient
    JOIN campaign_send AS send
      ON send.campaign_pk = recipient.campaign_pk
      AND send.position = recipient.position
    WHERE recipient.campaign_pk = ${campaignPk}
      AND recipient.source_pk = ${pk}
      AND send.attempts > 0
    LIMIT 1`);
}

export function present(row: SourceRow): RecipientSource {
  const isOpen = ["waiting", "running", "undoing"].includes(row.state);
  const from = row.finished_at ?? row.created_at;
  return {
    id: row.id,
    campaignId: row.campaign_id,
    kind: row.audience === null ? "file" : "campaign",
    name: row.name,
    audience: row.audience,
    state: row.state,
    rows: row.records - (row.heading ? 1 : 0),
    done: row.done,
    added: row.added,
    refused: row.refused,
    heading: row.heading,
    mapping: row.mapping,
    problem: row.problem,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    expiresAt: isOpen ? null : new Date(from.getTime() + sourceDays * dayMs).toISOString(),
  };
}
