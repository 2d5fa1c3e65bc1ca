/** API keys: `fuxi_` and 32 random characters, shown once. Only their SHA-256 is stored. */
import { randomBytes } from "node:crypto";
import { newId } from "#lib/basics/ids";
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import {
  assertConfirmed,
  assertMay,
  canonicalScopes,
  onlyCreatorPk,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { allScopes } from "#lib/tenancy/access/schema";
import { type AuditEntry, changesOf, recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { keyEntry } from "#lib/tenancy/key-changes";
import { assertLive, withFreshProof } from "#lib/tenancy/live-actors";
import { takeQuota } from "#lib/tenancy/quotas";
import { hashKey } from "./admission.ts";
import type { ApiKey, EditApiKey, NewApiKey, RotateApiKey } from "./schema.ts";
import {
  findGrantable,
  insertKey,
  type KeyTerms,
  keepKeyRow,
  type LockedKey,
  listKeys,
  lockKey,
  resumeKeyRow,
  revokeKeyRow,
  rotateKeyRow,
  updateKeyRow,
} from "./store.ts";

export { admitApiKey, admitKnownKey } from "./admission.ts";
export { approveKey, declineKey, listPendingKeys } from "./approvals.ts";
export { pauseKeysOf } from "./pauses.ts";

const keysMax = 200;
const keyPrefix = "fuxi_";
const keyChars = 32;
const hintChars = 9;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes beyond the last multiple of 62 are dropped, so that all characters are equally likely. */
function randomKey(): string {
  let text = "";
  while (text.length < keyChars) {
    for (const byte of randomBytes(2 * keyChars)) {
      if (byte < 248 && text.length < keyChars) text += digits.charAt(byte % digits.length);
    }
  }
  return `${keyPrefix}${text}`;
}

export async function createApiKey(
  scope: WorkspaceScope,
  body: NewApiKey,
): Promise<{ key: string; apiKey: ApiKey }> {
  assertMay(scope, "keys.write");
  assertConfirmed(scope);
  await assertFeatureOn("apiKeys");
  const terms: KeyTerms = {
    name: body.name,
    scopes: readScopes(body.scopes ?? [allScopes]),
    expiresAt: readExpiry(body.expiresAt ?? null),
    allowedAddresses: body.allowedAddresses ?? [],
    domainIds: [...new Set(body.domainIds)],
    folderIds: [...new Set(body.folderIds)],
    callsPerMinute: body.callsPerMinute ?? null,
  };
  const key = randomKey();
  const pending = config().FUXI_KEY_APPROVAL === "on";
  const apiKey = await withFreshProof(scope, () => storeKey(scope, key, terms, pending));
  if (apiKey) return { key, apiKey };
  throw new AppError(
    "forbidden",
    `A workspace can have up to ${keysMax} API keys. Revoke one first.`,
  );
}

function readScopes(given: readonly string[]): string[] {
  const scopes = canonicalScopes(given);
  if (scopes.ok) return scopes.scopes;
  throw new AppError(
    "unprocessable_entity",
    `scopes: unknown scope ${scopes.unknown.join(", ")}. Use ${scopes.known.join(", ")}.`,
  );
}

function readExpiry(given: string | null): Date | null {
  const end = given === null ? null : new Date(given);
  if (end === null || end.getTime() > Date.now()) return end;
  throw new AppError("unprocessable_entity", "expiresAt: Use a date and time in the future.");
}

/** A key cannot get domains and folders that its author cannot use. */
async function assertGrantable(
  tx: Connection,
  scope: WorkspaceScope,
  terms: Pick<KeyTerms, "domainIds" | "folderIds">,
): Promise<void> {
  if (terms.domainIds.length + terms.folderIds.length === 0) return;
  const reader = { workspacePk: scope.workspacePk, readerPk: onlyCreatorPk(scope) };
  const found = await findGrantable(tx, reader, terms);
  const refuse = (field: string, id: string) =>
    new AppError("unprocessable_entity", `${field}: "${id}" not found in this workspace.`);
  for (const id of terms.domainIds) if (!found.has(id)) throw refuse("domainIds", id);
  for (const id of terms.folderIds) if (!found.has(id)) throw refuse("folderIds", id);
}

/** A revoked key stays revoked. */
export async function adoptApiKey(scope: WorkspaceScope, key: string): Promise<void> {
  const terms = { name: "FUXI_API_KEY", scopes: [allScopes], expiresAt: null };
  const unlimited = { allowedAddresses: [], domainIds: [], folderIds: [], callsPerMinute: null };
  await storeKey(scope, key, { ...terms, ...unlimited }, false);
}

async function storeKey(
  scope: WorkspaceScope,
  key: string,
  terms: KeyTerms,
  pendingApproval: boolean,
): Promise<ApiKey | undefined> {
  const { workspacePk, userPk, actor } = scope;
  if (userPk === null) throw new Error("An API key needs a user");
  const id = newId("key");
  const hint = key.slice(0, hintChars);
  const hash = Buffer.from(hashKey(key), "hex");
  const created = await transaction(async (tx) => {
    // defence: ended-session-writes-no-key
    await assertLive(tx, scope);
    // defence: key-within-author-reach
    await assertGrantable(tx, scope, terms);
    const taken = await takeQuota(tx, scope, "apiKeys", 1);
    if (!taken.ok) throw new AppError("forbidden", taken.message);
    const inserted = await insertKey(
      tx,
      {
        id,
        workspacePk,
        userPk,
        hash,
        hint,
        unproven: !scope.confirmed,
        pendingApproval,
        ...terms,
      },
      keysMax,
    );
    if (inserted) {
      const details = { ...terms };
      await recordAudit(tx, [{ workspacePk, actor, action: "key.create", subject: id, details }]);
    }
    return inserted;
  });
  return (
    created && {
      id,
      hint,
      ...terms,
      user: { id: created.userId, name: created.userName },
      createdAt: created.createdAt.toISOString(),
      lastUsedAt: null,
      expiresAt: terms.expiresAt?.toISOString() ?? null,
      previous: null,
      needsReview: false,
      pendingApproval,
      pausedAt: null,
    }
  );
}

export function listApiKeys(scope: WorkspaceScope): Promise<ApiKey[]> {
  assertMay(scope, "keys.read");
  return listKeys(scope.workspacePk);
}

export async function findApiKey(scope: WorkspaceScope, id: string): Promise<ApiKey | undefined> {
  assertMay(scope, "keys.read");
  const [found] = await listKeys(scope.workspacePk, id);
  return found;
}

export async function editApiKey(
  scope: WorkspaceScope,
  id: string,
  body: EditApiKey,
): Promise<ApiKey | undefined> {
  assertMay(scope, "keys.write");
  const changed: Partial<KeyTerms> = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.scopes === undefined ? {} : { scopes: readScopes(body.scopes) }),
    ...(body.expiresAt === undefined ? {} : { expiresAt: readExpiry(body.expiresAt) }),
    ...(body.allowedAddresses === undefined ? {} : { allowedAddresses: body.allowedAddresses }),
    ...(body.domainIds === undefined ? {} : { domainIds: [...new Set(body.domainIds)] }),
    ...(body.folderIds === undefined ? {} : { folderIds: [...new Set(body.folderIds)] }),
    ...(body.callsPerMinute === undefined ? {} : { callsPerMinute: body.callsPerMinute }),
  };
  const done = await withFreshProof(scope, () =>
    changeKey(scope, id, async (tx, before) => {
      const { pk, hash: _hash, previousHash: _previous, hint: _hint, ...terms } = before;
      await assertGrantable(tx, scope, addedBy(changed, terms));
      const details = changesOf(terms, { ...terms, ...changed });
      if (Object.keys(details).length === 0) return undefined;
      await updateKeyRow(tx, pk, { ...terms, ...changed });
      return { action: "key.edit", details };
    }),
  );
  return done ? await findApiKey(scope, id) : undefined;
}

/** Only added ids are checked: a domain that was deleted since may stay. */
function addedBy(
  changed: Partial<KeyTerms>,
  before: KeyTerms,
): Pick<KeyTerms, "domainIds" | "folderIds"> {
  const added = (ids: readonly string[] = [], present: readonly string[]) =>
    ids.filter((id) => !present.includes(id));
  return {
    domainIds: added(changed.domainIds, before.domainIds),
    folderIds: added(changed.folderIds, before.folderIds),
  };
}

/** The current secret keeps working for the overlap; one from an earlier rotation stops now. */
export async function rotateApiKey(
  scope: WorkspaceScope,
  id: string,
  { overlapSeconds }: RotateApiKey,
  now = Date.now(),
): Promise<{ key: string; apiKey: ApiKey } | undefined> {
  assertMay(scope, "keys.write");
  assertConfirmed(scope);
  const key = randomKey();
  const secret = { hash: Buffer.from(hashKey(key), "hex"), hint: key.slice(0, hintChars) };
  const endsAt = overlapSeconds === 0 ? null : new Date(now + 1_000 * overlapSeconds);
  const done = await withFreshProof(scope, () =>
    changeKey(scope, id, async (tx, { pk, name, hint }) => {
      await assertLive(tx, scope);
      await rotateKeyRow(tx, pk, secret, endsAt);
      const details = { name, previous: hint, previousEndsAt: endsAt?.toISOString() ?? null };
      return { action: "key.rotate", details };
    }),
  );
  const apiKey = done ? await findApiKey(scope, id) : undefined;
  return apiKey && { key, apiKey };
}

export async function revokeApiKey(scope: WorkspaceScope, id: string): Promise<boolean> {
  assertMay(scope, "keys.write");
  return await changeKey(scope, id, async (tx, { pk, name }) => {
    await revokeKeyRow(tx, pk);
    return { action: "key.revoke", details: { name } };
  });
}

export async function keepApiKey(scope: WorkspaceScope, id: string): Promise<boolean> {
  assertMay(scope, "keys.write");
  return await changeKey(scope, id, async (tx, { pk, name }) =>
    (await keepKeyRow(tx, pk)) ? { action: "key.keep", details: { name } } : undefined,
  );
}

/** Gives access back that outlives the session. */
export async function resumeApiKey(scope: WorkspaceScope, id: string): Promise<boolean> {
  assertMay(scope, "keys.write");
  return await withFreshProof(scope, () =>
    changeKey(scope, id, async (tx, { pk, name }) =>
      (await resumeKeyRow(tx, pk)) ? { action: "key.resume", details: { name } } : undefined,
    ),
  );
}

type KeyAudit = Pick<AuditEntry, "action" | "details">;

async function changeKey(
  scope: WorkspaceScope,
  id: string,
  work: (tx: Connection, key: LockedKey) => Promise<KeyAudit | undefined>,
): Promise<boolean> {
  const { workspacePk, actor } = scope;
  const changes = await transaction(async (tx) => {
    const key = await lockKey(tx, workspacePk, id);
    if (!key) return undefined;
    const done = await work(tx, key);
    if (!done) return [];
    const revision = await takeRevision(tx);
    // defence: key-change-reaches-previous
    const hashes = key.previousHash === null ? [key.hash] : [key.hash, key.previousHash];
    const published = hashes.map((hash) => ({ entry: keyEntry(hash), revision }));
    await recordChanges(tx, published);
    await recordAudit(tx, [{ workspacePk, actor, subject: id, ...done }]);
    return published;
  });
  if (!changes) return false;
  await publishChanges(changes);
  return true;
}
