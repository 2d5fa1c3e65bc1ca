/**
 * The SMS gateways of a workspace: accounts at providers, with their secrets. A secret is sealed
 * for its row, and nothing returns it. A person who can change the URL could have the secret sent
 * to them, so only owners and admins edit a gateway, and a change of the account or the URL needs
 * the secret again. The address for receipts and replies has its own token, which authenticates
 * gateways that cannot sign their requests.
 */
import { createHash, randomBytes } from "node:crypto";
import { newId, parseId } from "#lib/basics/ids";
import { isDemoWorkspace } from "#lib/outreach/demo-outbox";
import { type GatewayClient, openGateway } from "#lib/outreach/gateways";
import { type GatewayCheck, type GatewaySettings, kindOf } from "#lib/outreach/gateways/schema";
import { config } from "#lib/platform/config";
import { AppError, assertRoom } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { isAllowedUrl } from "#lib/platform/safe-fetch";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";
import { assertMay, lockWorkspace, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { privateNetworksOf } from "#lib/tenancy/instance-rules";
import type { EditGateway, Gateway, NewGateway, OpenCampaign } from "./schema.ts";
import {
  countRows,
  deleteGatewayRow,
  findByPk,
  findByToken,
  findGateway,
  type GatewayFields,
  type GatewayRow,
  insertGateway,
  isInUse,
  isUsedByForms,
  listOpenRows,
  listRows,
  updateGateway,
} from "./store.ts";

export { holdGateway, lockRate, spendRate } from "./store.ts";

const purpose = "sms-gateways";
export const gatewayColumn: SealedColumn = {
  table: "sms_gateway",
  column: "sealed",
  key: ["pk"],
  purpose,
  binding: "id",
};
const gatewaysMax = 50;
/** For all gateways together; the page lists them. */
const openCampaignsMax = 200;
const tokenBytes = 24;

export interface OpenedGateway {
  pk: number;
  id: string;
  workspacePk: number;
  settings: GatewaySettings;
  rate: number;
  receiptUrl: string;
  client: GatewayClient;
}

interface Secrets {
  secret: string;
  token: string;
}

function sealSecrets(id: string, { secret, token }: Secrets): Buffer {
  return seal(purpose, Buffer.from(JSON.stringify([secret, token])), id);
}

function unsealSecrets({ id, sealed }: GatewayRow): Secrets {
  const [secret, token]: [string, string] = JSON.parse(unseal(purpose, sealed, id).toString());
  return { secret, token };
}

const newToken = () => randomBytes(tokenBytes).toString("base64url");
const hashOf = (token: string) => createHash("sha256").update(token).digest();

function receiptUrlOf(token: string): string {
  return `${config().FUXI_URL}/api/campaigns/receipts/${token}`;
}

export async function listGateways(scope: WorkspaceScope): Promise<Gateway[]> {
  assertMay(scope, "campaigns.read");
  return (await listRows(scope.workspacePk)).map((row) => present(scope, row));
}

/** Campaigns that keep a gateway from being deleted, newest first. */
export async function listOpenCampaigns(scope: WorkspaceScope): Promise<OpenCampaign[]> {
  assertMay(scope, "campaigns.read");
  const rows = await listOpenRows(scope.workspacePk, onlyCreatorPk(scope), openCampaignsMax);
  return rows.map(({ gateway, ...campaign }) => ({ gatewayId: gateway, ...campaign }));
}

export async function getGateway(scope: WorkspaceScope, id: string): Promise<Gateway> {
  assertMay(scope, "campaigns.read");
  return present(scope, await getRow(scope, id));
}

async function getRow(
  { workspacePk }: WorkspaceScope,
  id: string,
  tx?: Parameters<typeof findGateway>[2],
): Promise<GatewayRow> {
  const row = parseId("gw", id) === undefined ? undefined : await findGateway(workspacePk, id, tx);
  if (row) return row;
  throw new AppError("not_found", `Gateway "${id}" not found in this workspace.`);
}

export async function createGateway(scope: WorkspaceScope, body: NewGateway): Promise<Gateway> {
  // defence: gateway-needs-admin
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  const { name, settings, rate } = body;
  await assertUrls(scope, settings);
  await assertAvailable(scope, settings);
  const secret = body.secret ?? "";
  const id = newId("gw");
  const token = newToken();
  const sealed = sealSecrets(id, { secret, token });
  const fields = { name, settings, sealed, tokenHash: hashOf(token), rate };
  const row = await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), gatewaysMax, "gateways", {
      problem: "gateways_full",
    });
    const created = await insertGateway(tx, { id, workspacePk }, fields);
    if (!created) throw new Error("A gateway was not inserted");
    const details = { name, kind: settings.kind };
    await recordAudit(tx, [{ workspacePk, actor, action: "gateway.create", subject: id, details }]);
    return created;
  });
  return present(scope, row);
}

async function assertAvailable(scope: WorkspaceScope, settings: GatewaySettings): Promise<void> {
  const isMissing = kindOf(settings).isDemo && !(await isDemoWorkspace(scope.workspacePk));
  // defence: demo-gateway-in-demo
  if (isMissing) {
    const message =
      "settings.kind: Only the demo workspace has the demo gateway. Choose another kind.";
    throw new AppError("unprocessable_entity", message, { problem: "gateway_demo" });
  }
}

/** Messages have names and phones: they are never sent unencrypted, except to opened networks. */
async function assertUrls(scope: WorkspaceScope, settings: GatewaySettings): Promise<void> {
  const networks = await privateNetworksOf(scope.workspacePk);
  for (const [field, url] of Object.entries(kindOf(settings).urlsOf?.(settings) ?? {})) {
    // defence: gateway-public-url
    if (!isAllowedUrl(new URL(url), { networks })) {
      const message = `settings.${field}: Use an https URL of a public server. The administrator of this instance can open private networks for a workspace.`;
      throw new AppError("unprocessable_entity", message, { problem: "gateway_url" });
    }
  }
}

export async function editGateway(
  scope: WorkspaceScope,
  id: string,
  body: EditGateway,
): Promise<Gateway> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  if (body.settings) {
    await assertUrls(scope, body.settings);
    await assertAvailable(scope, body.settings);
  }
  const row = await transaction(async (tx) => {
    const before = await getRow(scope, id, tx);
    const fields = editedFields(before, body);
    const details = auditOf(before, fields, body);
    if (Object.keys(details).length === 0) return before;
    await recordAudit(tx, [{ workspacePk, actor, action: "gateway.edit", subject: id, details }]);
    return (await updateGateway(tx, before.pk, fields)) ?? before;
  });
  return present(scope, row);
}

function editedFields(before: GatewayRow, body: EditGateway): GatewayFields {
  const { name = before.name, settings = before.settings, rate = before.rate } = body;
  // defence: gateway-secret-receiver
  const isGiven = kindOf(settings).secret === null || body.secret !== undefined;
  if (receiverOf(settings) !== receiverOf(before.settings) && !isGiven) {
    const message = "secret: Enter the secret again to change the account or the URL.";
    throw new AppError("unprocessable_entity", message, { problem: "gateway_secret" });
  }
  const known = unsealSecrets(before);
  const token = body.newReceiptUrl ? newToken() : known.token;
  const sealed = sealSecrets(before.id, { secret: body.secret ?? known.secret, token });
  return { name, settings, sealed, tokenHash: hashOf(token), rate };
}

function receiverOf(settings: GatewaySettings): string {
  return JSON.stringify([settings.kind, ...kindOf(settings).receiverOf(settings)]);
}

function auditOf(before: GatewayRow, after: GatewayFields, body: EditGateway) {
  const { name, rate } = before;
  const isChanged = JSON.stringify(after.settings) !== JSON.stringify(before.settings);
  return {
    ...changesOf({ name, rate }, { name: after.name, rate: after.rate }),
    ...(isChanged ? { settings: true } : {}),
    ...(body.secret === undefined ? {} : { secret: true }),
    ...(body.newReceiptUrl ? { receiptUrl: true } : {}),
  };
}

/** Its receipts are refused from now on. */
export async function deleteGateway(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    if (await isInUse(tx, row.pk)) {
      const message = "Campaigns still use this gateway. Cancel them first.";
      throw new AppError("conflict", message, { problem: "gateway_in_use" });
    }
    if (await isUsedByForms(tx, row.pk)) {
      const message =
        "Forms use this gateway to send codes. Choose another gateway in these forms first.";
      throw new AppError("conflict", message, { problem: "gateway_in_forms" });
    }
    await deleteGatewayRow(tx, row.pk);
    const details = { name: row.name };
    await recordAudit(tx, [{ workspacePk, actor, action: "gateway.delete", subject: id, details }]);
  });
  return { id };
}

export async function checkGateway(scope: WorkspaceScope, id: string): Promise<GatewayCheck> {
  assertMay(scope, "campaigns.write");
  const { client } = await open(await getRow(scope, id));
  const attempt = await tryLimit("gatewayCheckPerWorkspace", String(scope.workspacePk));
  if (attempt.ok) return await client.check();
  const message = "Too many gateway checks. Try again in a moment.";
  throw new AppError("rate_limit_exceeded", message, attempt);
}

export async function openGatewayOf(scope: WorkspaceScope, id: string): Promise<OpenedGateway> {
  assertMay(scope, "campaigns.write");
  return await open(await getRow(scope, id));
}

export async function openGatewayByPk(
  workspacePk: number,
  pk: number,
): Promise<OpenedGateway | undefined> {
  const row = await findByPk(workspacePk, pk);
  return row && (await open(row));
}

export async function openGatewayByToken(token: string): Promise<OpenedGateway | undefined> {
  const row = await findByToken(hashOf(token));
  return row && (await open(row));
}

async function open(row: GatewayRow): Promise<OpenedGateway> {
  const { secret, token } = unsealSecrets(row);
  const receiptUrl = receiptUrlOf(token);
  const { pk, id, workspace_pk: workspacePk, settings, rate } = row;
  const networks = await privateNetworksOf(workspacePk);
  const client = openGateway({ workspacePk, settings, secret, callback: receiptUrl, networks });
  return { pk, id, workspacePk, settings, rate, receiptUrl, client };
}

function present(scope: WorkspaceScope, row: GatewayRow): Gateway {
  const { id, name, settings, rate } = row;
  const isAdmin = scope.permissions.has("workspace.write");
  return {
    id,
    name,
    settings,
    rate,
    receiptUrl:
      isAdmin && kindOf(settings).secret !== null ? receiptUrlOf(unsealSecrets(row).token) : null,
    createdAt: row.created_at.toISOString(),
  };
}
