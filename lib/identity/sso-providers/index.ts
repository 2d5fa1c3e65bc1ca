/**
 * The OpenID provider of a workspace. It could assert any address, so it is trusted only for email
 * domains that the workspace proved with a DNS record, its sessions open only this workspace, and it
 * never takes over an account: the owner of an existing account connects it in a session of their own.
 */
import { randomBytes } from "node:crypto";
import { newId } from "#lib/basics/ids";
import { loadServer, type ServerOutcome } from "#lib/identity/oidc";
import { endOidcSessions } from "#lib/identity/oidc-sessions";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { ownershipRecord, provesOwnership, queryDns } from "#lib/platform/dns";
import { AppError, assertRoom } from "#lib/platform/errors";
import { type LimitCall, tryLimits } from "#lib/platform/limits";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { seal } from "#lib/platform/sealing";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { auditEntryOf, changesOf, recordAudit } from "#lib/tenancy/audit";
import { withFreshProof } from "#lib/tenancy/live-actors";
import { clientOf, identityName, purpose, secretOf } from "./clients.ts";
import { type AccessBody, domainsMax, type ProviderBody, type SsoProvider } from "./schema.ts";
import {
  deleteDomain,
  deleteProvider,
  findProviderRow,
  insertDomain,
  listDomainRows,
  lockProvenDomain,
  type ProviderRow,
  updateAccess,
  upsertProvider,
  writeProof,
} from "./store.ts";

export {
  clientOfProvider,
  findAddressProblem,
  identityName,
  instanceClient,
  type OpenedProvider,
  ssoColumn,
} from "./clients.ts";
export { anyProvenDomain, findProviderFor } from "./store.ts";

const tokenBytes = 24;

export async function findSso(scope: WorkspaceScope): Promise<SsoProvider | undefined> {
  assertMay(scope, "members.write");
  const row = await findProviderRow(scope.workspacePk);
  return row && (await present(row));
}

async function present(row: ProviderRow): Promise<SsoProvider> {
  const { id, name, issuer, clientId, scope, groupsClaim } = row;
  const url = config().FUXI_URL;
  const domains = await listDomainRows(row.pk);
  return {
    id: identityName(id),
    ...{ name, issuer, clientId, scope, groupsClaim, ...pickAccess(row) },
    callbackUrl: `${url}/api/auth/callback/${identityName(id)}`,
    logoutUrl: `${url}/api/sso/logout/${identityName(id)}`,
    domains: domains.map(({ host, token, provenAt }) => ({
      host,
      proven: provenAt !== null,
      record: ownershipRecord(host, token, "sso"),
    })),
  };
}

/** Asks the provider before anything is stored, so that a wrong configuration is found at once. */
export async function saveProvider(scope: WorkspaceScope, body: ProviderBody): Promise<void> {
  assertMay(scope, "members.write");
  await assertCalls(["ssoCheckPerWorkspace", scope.workspaceId]);
  const { secret, ...fields } = body;
  const known = await findProviderRow(scope.workspacePk);
  // defence: sso-secret-receiver
  if (secret === undefined && (!known || isMoved(known, body))) {
    const message = "secret: Enter the client secret to set or change the issuer or client.";
    throw new AppError("unprocessable_entity", message, { problem: "sso_secret" });
  }
  const id = known?.id ?? newId("sso");
  const clientSecret = secret ?? (known ? secretOf(known) : "");
  const { workspacePk } = scope;
  const server = await loadServer(await clientOf({ ...fields, id, workspacePk }, clientSecret));
  if (!server.ok) throw refusalOf(server);
  const sealed = seal(purpose, Buffer.from(clientSecret), id);
  await writeProvider(scope, async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const before = await findProviderRow(workspacePk, tx);
    if (before?.id !== known?.id) throw new AppError("conflict", "Somebody else saved it.");
    await upsertProvider(tx, { id, workspacePk }, { ...fields, sealed });
    const details = { name: fields.name, ...changesOf(pickFields(before), pickFields(fields)) };
    const more = secret === undefined ? {} : { secret: true };
    const action = before ? "sso.edit" : "sso.create";
    await recordAudit(tx, [auditEntryOf(scope, action, id, { ...details, ...more })]);
    // Another issuer may use the same subjects for other people.
    return before && isMoved(before, body) ? await dropConnections(tx, before) : [];
  });
}

function isMoved(before: ProviderRow, { issuer, clientId }: ProviderBody): boolean {
  return before.issuer !== issuer || before.clientId !== clientId;
}

type Fields = Omit<ProviderBody, "secret">;

function pickFields(row: Fields | undefined): Partial<Fields> {
  if (!row) return {};
  const { name, issuer, clientId, scope, groupsClaim } = row;
  return { name, issuer, clientId, scope, groupsClaim };
}

function pickAccess(row: AccessBody): AccessBody {
  const { required, joins, pausesKeys, defaultRole, groupRoles } = row;
  return { required, joins, pausesKeys, defaultRole, groupRoles };
}

async function writeProvider(
  scope: WorkspaceScope,
  write: (tx: Connection) => Promise<CacheChange[]>,
): Promise<void> {
  // Choosing the provider is choosing who comes in, which outlives the session.
  await publishChanges(await withFreshProof(scope, () => transaction(write)));
}

function refusalOf({ code, reason }: Extract<ServerOutcome, { ok: false }>): AppError {
  const message = `issuer: ${reason}`;
  const problem = `sso_${code}` as const;
  return new AppError("unprocessable_entity", message, { problem, params: { reason } });
}

async function assertCalls(...calls: readonly LimitCall[]): Promise<void> {
  const attempt = await tryLimits(calls);
  if (attempt.ok) return;
  throw new AppError("rate_limit_exceeded", "Too many checks. Try again in a moment.", attempt);
}

/** Everyone has to sign in again, and to connect an existing account again. */
async function dropConnections(tx: Connection, { pk, id }: ProviderRow): Promise<CacheChange[]> {
  // Answered by identity_pkey.
  // defence: sso-changed-provider-connects-again
  await tx.query(sql`DELETE FROM identity WHERE provider = ${identityName(id)}`);
  return await endOidcSessions(tx, { providerPk: pk }, "removed");
}

export async function removeProvider(scope: WorkspaceScope): Promise<void> {
  assertMay(scope, "members.write");
  await writeProvider(scope, async (tx) => {
    const row = await getRow(scope, tx);
    const changes = await dropConnections(tx, row);
    await deleteProvider(tx, row.pk);
    const details = { name: row.name, issuer: row.issuer };
    await recordAudit(tx, [auditEntryOf(scope, "sso.delete", row.id, details)]);
    return changes;
  });
}

async function getRow(scope: WorkspaceScope, tx?: Connection): Promise<ProviderRow> {
  const row = await findProviderRow(scope.workspacePk, tx);
  if (row) return row;
  throw new AppError("not_found", "Single sign-on is not set up in this workspace.");
}

export async function saveAccess(scope: WorkspaceScope, body: AccessBody): Promise<void> {
  assertMay(scope, "members.write");
  await writeProvider(scope, async (tx) => {
    const row = await getRow(scope, tx);
    const domains = await listDomainRows(row.pk);
    if (body.required && !domains.some(({ provenAt }) => provenAt !== null)) {
      const message = "required: Verify an email domain first, so that somebody can sign in.";
      throw new AppError("unprocessable_entity", message, { problem: "sso_domain_first" });
    }
    await updateAccess(tx, row.pk, body);
    const details = { name: row.name, ...changesOf(pickAccess(row), body) };
    await recordAudit(tx, [auditEntryOf(scope, "sso.edit", row.id, details)]);
    return [];
  });
}

export async function addSsoDomain(scope: WorkspaceScope, host: string): Promise<void> {
  assertMay(scope, "members.write");
  await transaction(async (tx) => {
    const row = await getRow(scope, tx);
    const known = await listDomainRows(row.pk);
    assertRoom(known.length, domainsMax, "email domains", { problem: "sso_domains_full" });
    const token = randomBytes(tokenBytes).toString("base64url");
    if (!(await insertDomain(tx, row.pk, host, token))) return;
    await recordAudit(tx, [auditEntryOf(scope, "sso-domain.create", row.id, { name: host })]);
  });
}

/** One workspace per domain: another one loses it only once its own record is gone. */
export async function verifySsoDomain(scope: WorkspaceScope, host: string): Promise<void> {
  assertMay(scope, "members.write");
  const row = await getRow(scope);
  const domain = (await listDomainRows(row.pk)).find((one) => one.host === host);
  if (!domain) throw new AppError("not_found", "This email domain was removed.");
  await assertCalls(["domainCheckPerWorkspace", scope.workspaceId]);
  const { name, value } = ownershipRecord(host, domain.token, "sso");
  const answer = await queryDns(({ txt }) => txt(name));
  if (answer.kind === "unsure") {
    throw new AppError("conflict", "The DNS lookup failed.", { problem: "sso_dns_unsure" });
  }
  const texts = answer.kind === "found" ? answer.values : [];
  // defence: sso-domain-proof
  if (!provesOwnership(texts, value)) {
    throw new AppError("conflict", `No TXT record ${value} at ${name}.`, {
      problem: "sso_dns_missing",
      params: { name },
    });
  }
  await transaction(async (tx) => {
    const holder = await lockProvenDomain(tx, host);
    if (holder?.providerPk === row.pk) return;
    if (holder) {
      const holds = provesOwnership(texts, ownershipRecord(host, holder.token, "sso").value);
      // defence: sso-domain-one-workspace
      if (holds) throw new AppError("conflict", "Taken.", { problem: "sso_domain_taken" });
      await writeProof(tx, holder.providerPk, host, false);
      const { workspacePk } = holder;
      const lost = { workspacePk, actor: "system", action: "sso-domain.unverify" } as const;
      await recordAudit(tx, [{ ...lost, details: { name: host } }]);
    }
    await writeProof(tx, row.pk, host, true);
    await recordAudit(tx, [auditEntryOf(scope, "sso-domain.verify", row.id, { name: host })]);
  });
}

export async function removeSsoDomain(scope: WorkspaceScope, host: string): Promise<void> {
  assertMay(scope, "members.write");
  await transaction(async (tx) => {
    const row = await getRow(scope, tx);
    if (!(await deleteDomain(tx, row.pk, host))) return;
    await recordAudit(tx, [auditEntryOf(scope, "sso-domain.delete", row.id, { name: host })]);
  });
}
