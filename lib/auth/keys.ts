/** API keys: `fuxi_` and 32 characters of chance, shown once. Only their SHA-256 is kept. */
import { randomBytes } from "node:crypto";
import { recordDeeds } from "#lib/audit";
import { publishChanges, recordChanges, takeRevision } from "#lib/coherence";
import { AppError } from "#lib/errors";
import { newId } from "#lib/ids";
import { transaction } from "#lib/postgres";
import {
  allScopes,
  assertMay,
  keyEntry,
  keyPermissions,
  type WorkspaceScope,
} from "#lib/workspaces";
import { hashKey } from "./admission.ts";
import type { ApiKey, NewApiKey } from "./schema.ts";
import { insertKey, listKeys, revokeKeyRow } from "./store.ts";

const keysMax = 200;
const keyPrefix = "fuxi_";
const keyChars = 32;
const hintChars = 9;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Characters of equal chance: bytes beyond the last whole multiple of 62 are thrown away. */
function randomKey(): string {
  let text = "";
  while (text.length < keyChars) {
    for (const byte of randomBytes(2 * keyChars)) {
      if (byte < 248 && text.length < keyChars) text += digits.charAt(byte % digits.length);
    }
  }
  return `${keyPrefix}${text}`;
}

/** Makes a key for whoever asks. The text of the key is in this answer and nowhere else. */
export async function createApiKey(
  scope: WorkspaceScope,
  body: NewApiKey,
): Promise<{ key: string; apiKey: ApiKey }> {
  assertMay(scope, "keys.write");
  const scopes = body.scopes ?? [allScopes];
  assertScopes(scopes);
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw new AppError("unprocessable_entity", "expiresAt: give a moment in the future.");
  }
  const key = randomKey();
  const apiKey = await storeKey(scope, key, { name: body.name, scopes, expiresAt });
  if (apiKey) return { key, apiKey };
  throw new AppError(
    "forbidden",
    `A workspace has at most ${keysMax} API keys. Revoke one that is not used.`,
  );
}

function assertScopes(scopes: readonly string[]): void {
  const known: readonly string[] = [allScopes, ...keyPermissions];
  const unknown = scopes.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new AppError(
    "unprocessable_entity",
    `scopes: there is no ${unknown.join(", ")}. A key can have ${known.join(", ")}.`,
  );
}

/** Keeps a key whose text is already known, with everything that keys may do; one that was revoked stays so. */
export async function adoptApiKey(scope: WorkspaceScope, key: string): Promise<void> {
  await storeKey(scope, key, { name: "FUXI_API_KEY", scopes: [allScopes], expiresAt: null });
}

interface KeyTerms {
  name: string;
  scopes: string[];
  expiresAt: Date | null;
}

async function storeKey(
  scope: WorkspaceScope,
  key: string,
  { name, scopes, expiresAt }: KeyTerms,
): Promise<ApiKey | undefined> {
  const { workspacePk, userPk, actor } = scope;
  if (userPk === null) throw new Error("A key belongs to a person");
  const id = newId("key");
  const hint = key.slice(0, hintChars);
  const made = await transaction(async (tx) => {
    const bytes = Buffer.from(hashKey(key), "hex");
    const row = { id, workspacePk, userPk, name, hash: bytes, hint, scopes, expiresAt };
    const inserted = await insertKey(tx, row, keysMax);
    if (inserted) {
      await recordDeeds(tx, [{ workspacePk, actor, action: "key.create", subject: id }]);
    }
    return inserted;
  });
  return (
    made && {
      id,
      name,
      hint,
      scopes,
      user: { id: made.userId, name: made.userName },
      createdAt: made.createdAt.toISOString(),
      lastUsedAt: null,
      expiresAt: expiresAt?.toISOString() ?? null,
    }
  );
}

/** The keys of a workspace that were not revoked, the newest first. */
export function listApiKeys(scope: WorkspaceScope): Promise<ApiKey[]> {
  assertMay(scope, "keys.read");
  return listKeys(scope.workspacePk);
}

export type RevocationOutcome = { ok: true } | { ok: false; code: "not_found" };

/** Revokes a key: refused everywhere within a second. */
export async function revokeApiKey(scope: WorkspaceScope, id: string): Promise<RevocationOutcome> {
  assertMay(scope, "keys.write");
  const { workspacePk, actor } = scope;
  const changes = await transaction(async (tx) => {
    const name = await revokeKeyRow(tx, workspacePk, id);
    if (name === undefined) return undefined;
    const change = { entry: keyEntry(name), revision: await takeRevision(tx) };
    await recordChanges(tx, [change]);
    await recordDeeds(tx, [{ workspacePk, actor, action: "key.revoke", subject: id }]);
    return [change];
  });
  if (!changes) return { ok: false, code: "not_found" };
  await publishChanges(changes);
  return { ok: true };
}
