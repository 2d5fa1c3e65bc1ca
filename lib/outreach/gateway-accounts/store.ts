import type { GatewaySettings } from "#lib/outreach/gateways/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { OpenCampaign } from "./schema.ts";

export interface GatewayFields {
  name: string;
  settings: GatewaySettings;
  sealed: Buffer;
  tokenHash: Buffer;
  rate: number;
}

export interface GatewayRow {
  pk: number;
  id: string;
  workspace_pk: number;
  name: string;
  settings: GatewaySettings;
  sealed: Buffer;
  token_hash: Buffer;
  rate: number;
  created_at: Date;
}

const columns = "pk, id, workspace_pk, name, settings, sealed, token_hash, rate, created_at";

export async function insertGateway(
  tx: Connection,
  { id, workspacePk }: { id: string; workspacePk: number },
  { name, settings, sealed, tokenHash, rate }: GatewayFields,
): Promise<GatewayRow | undefined> {
  return await tx.one<GatewayRow>({
    text: `
      INSERT INTO sms_gateway (id, workspace_pk, name, settings, sealed, token_hash, rate)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      RETURNING ${columns}`,
    values: [id, workspacePk, name, JSON.stringify(settings), sealed, tokenHash, rate],
  });
}

export async function updateGateway(
  tx: Connection,
  pk: number,
  { name, settings, sealed, tokenHash, rate }: GatewayFields,
): Promise<GatewayRow | undefined> {
  return await tx.one<GatewayRow>({
    // Answered by sms_gateway_pkey.
    text: `
      UPDATE sms_gateway
      SET name = $2, settings = $3, sealed = $4, token_hash = $5, rate = $6
      WHERE pk = $1
      RETURNING ${columns}`,
    values: [pk, name, JSON.stringify(settings), sealed, tokenHash, rate],
  });
}

/** In a transaction, locks the row until its end. */
export async function findGateway(
  workspacePk: number,
  id: string,
  tx?: Connection,
): Promise<GatewayRow | undefined> {
  return await query.on(tx).one<GatewayRow>({
    // Answered by sms_gateway_id_key.
    // defence: gateway-of-workspace
    text: `
      SELECT ${columns}
      FROM sms_gateway
      WHERE id = $1
        AND workspace_pk = $2
      ${tx ? "FOR UPDATE" : ""}`,
    values: [id, workspacePk],
  });
}

export async function findByPk(workspacePk: number, pk: number): Promise<GatewayRow | undefined> {
  return await query.one<GatewayRow>({
    // Answered by sms_gateway_pkey.
    text: `SELECT ${columns} FROM sms_gateway WHERE pk = $1 AND workspace_pk = $2`,
    values: [pk, workspacePk],
  });
}

export async function findByToken(tokenHash: Buffer): Promise<GatewayRow | undefined> {
  return await query.one<GatewayRow>({
    // Answered by sms_gateway_token.
    text: `
      SELECT ${columns}
      FROM sms_gateway
      WHERE token_hash = $1
        AND EXISTS (
          SELECT 1
          FROM workspace
          WHERE workspace.pk = sms_gateway.workspace_pk
            AND workspace.deleted_at IS NULL
        )`,
    values: [tokenHash],
  });
}

export async function listRows(workspacePk: number): Promise<GatewayRow[]> {
  return await query<GatewayRow>({
    // Answered by sms_gateway_list.
    text: `SELECT ${columns} FROM sms_gateway WHERE workspace_pk = $1 ORDER BY pk DESC`,
    values: [workspacePk],
  });
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by sms_gateway_list.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM sms_gateway WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

export async function isInUse(tx: Connection, pk: number): Promise<boolean> {
  // Answered by campaign_sending_gateway.
  return await tx.any(sql`
    SELECT 1
    FROM campaign_sending
    JOIN campaign ON campaign.pk = campaign_sending.campaign_pk
    WHERE campaign_sending.gateway_pk = ${pk}
      AND campaign_sending.state IN ('scheduled', 'sending', 'paused')
      AND campaign.deleted_at IS NULL
    LIMIT 1`);
}

export async function isUsedByForms(tx: Connection, pk: number): Promise<boolean> {
  // Answered by form_gateway. Deleted forms have no gateway.
  return await tx.any(sql`SELECT 1 FROM form WHERE gateway_pk = ${pk} LIMIT 1`);
}

export async function listOpenRows(
  workspacePk: number,
  creatorPk: number | null,
  limit: number,
): Promise<(Omit<OpenCampaign, "gatewayId"> & { gateway: string })[]> {
  // Answered by sms_gateway_list and campaign_sending_gateway.
  return await query<Omit<OpenCampaign, "gatewayId"> & { gateway: string }>(sql`
    SELECT gateway.id AS gateway, campaign.id, campaign.name, campaign_sending.state
    FROM sms_gateway AS gateway
    JOIN campaign_sending ON campaign_sending.gateway_pk = gateway.pk
    JOIN campaign ON campaign.pk = campaign_sending.campaign_pk
    WHERE gateway.workspace_pk = ${workspacePk}
      AND campaign_sending.state IN ('scheduled', 'sending', 'paused')
      AND campaign.deleted_at IS NULL
      AND (${creatorPk}::int IS NULL OR campaign.user_pk = ${creatorPk})
    ORDER BY campaign.pk DESC
    LIMIT ${limit}`);
}

/** Keeps the gateway from being deleted until the commit. False if it already was. */
export async function holdGateway(tx: Connection, pk: number): Promise<boolean> {
  // Answered by sms_gateway_pkey.
  return await tx.any(sql`
    SELECT 1
    FROM sms_gateway
    WHERE pk = ${pk}
    FOR KEY SHARE`);
}

export async function deleteGatewayRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM sms_gateway WHERE pk = ${pk}`);
}

/** Locks the rate until the commit, so that campaigns share it. */
export async function lockRate(
  tx: Connection,
  gatewayPk: number,
): Promise<{ rate: number; waitMs: number } | undefined> {
  // Answered by sms_gateway_pkey.
  const [row] = await tx.query<{ rate: number; wait: number }>(sql`
    SELECT rate,
      greatest(0, extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS wait
    FROM sms_gateway
    WHERE pk = ${gatewayPk}
    FOR UPDATE`);
  return row && { rate: row.rate, waitMs: row.wait };
}

export async function spendRate(tx: Connection, gatewayPk: number, ms: number): Promise<void> {
  // Answered by sms_gateway_pkey.
  await tx.query(sql`
    UPDATE sms_gateway
    SET next_at = greatest(next_at, clock_timestamp()) + ${ms} * interval '1 millisecond'
    WHERE pk = ${gatewayPk}`);
}
