/** SQL for the lookup of every call, batches of uses, and transactions. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type KeyGrant, lockWorkspace, type Membership, memberColumns } from "#lib/tenancy/access";
import { roleOf } from "#lib/tenancy/access/schema";
import { planOf } from "#lib/tenancy/plans";
import { type ReachRow, reachColumns, reachOf } from "#lib/tenancy/reach";
import type { ApiKey } from "./schema.ts";

export async function writeKeyUses(pks: number[], at: Date): Promise<void> {
  await query(sql`
    UPDATE api_key
    SET last_used_at = ${at}
    WHERE pk = ANY(${[...pks].sort((a, b) => a - b)}::int[])
      AND (last_used_at IS NULL OR last_used_at < ${at}::timestamptz - interval '1 minute')`);
}

export interface KeyTerms {
  name: string;
  scopes: string[];
  expiresAt: Date | null;
  allowedAddresses: string[];
  domainIds: string[];
  folderIds: string[];
  callsPerMinute: number | null;
}

export interface KeyRow extends KeyTerms {
  id: string;
  workspacePk: number;
  userPk: number;
  hash: Buffer;
  hint: string;
  unproven: boolean;
  pendingApproval: boolean;
}

/** Locks the membership, so that removing the member removes the key too. */
export async function insertKey(
  tx: Connection,
  key: KeyRow,
  keysMax: number,
): Promise<{ createdAt: Date; userId: string; userName: string } | undefined> {
  // Concurrent creates wait here and then count this key.
  await lockWorkspace(tx, key.workspacePk);
  return await tx.one<{ createdAt: Date; userId: string; userName: string }>(sql`
    WITH member AS (
      SELECT user_pk
      FROM membership
      WHERE workspace_pk = ${key.workspacePk}
        AND user_pk = ${key.userPk}
      FOR KEY SHARE
    ),
    made AS (
      INSERT INTO api_key
        (id, workspace_pk, user_pk, name, hash, hint, scopes, expires_at, allowed_addresses,
          domain_ids, folder_ids, calls_per_minute, unproven, pending_approval)
      SELECT ${key.id}, ${key.workspacePk}, user_pk, ${key.name}, ${key.hash}, ${key.hint},
        ${key.scopes}::text[], ${key.expiresAt}::timestamptz, ${key.allowedAddresses}::text[],
        ${key.domainIds}::text[], ${key.folderIds}::text[], ${key.callsPerMinute}::int,
        ${key.unproven}, ${key.pendingApproval}
      FROM member
      WHERE (
        SELECT count(*)
        FROM api_key
        JOIN membership
          ON membership.workspace_pk = api_key.workspace_pk
          AND membership.user_pk = api_key.user_pk
        WHERE api_key.workspace_pk = ${key.workspacePk}
          AND api_key.revoked_at IS NULL
      ) < ${keysMax}
      ON CONFLICT (hash) DO NOTHING
      RETURNING user_pk, created_at
    )
    SELECT made.created_at AS "createdAt", app_user.id AS "userId", app_user.name AS "userName"
    FROM made
    JOIN app_user ON app_user.pk = made.user_pk`);
}

export interface LockedKey extends KeyTerms {
  pk: number;
  hint: string;
  hash: string;
  previousHash: string | null;
}

export async function lockKey(
  tx: Connection,
  workspacePk: number,
  id: string,
): Promise<LockedKey | undefined> {
  // Uses api_key_id_key.
  return await tx.one<LockedKey>(sql`
    SELECT pk, name, hint, scopes, expires_at AS "expiresAt",
      allowed_addresses AS "allowedAddresses", domain_ids AS "domainIds",
      folder_ids AS "folderIds", calls_per_minute AS "callsPerMinute",
      encode(hash, 'hex') AS hash, encode(previous_hash, 'hex') AS "previousHash"
    FROM api_key
    WHERE workspace_pk = ${workspacePk}
      AND id = ${id}
      AND revoked_at IS NULL
    FOR UPDATE`);
}

export async function updateKeyRow(tx: Connection, pk: number, terms: KeyTerms): Promise<void> {
  await tx.query(sql`
    UPDATE api_key
    SET name = ${terms.name},
      scopes = ${terms.scopes}::text[],
      expires_at = ${terms.expiresAt}::timestamptz,
      allowed_addresses = ${terms.allowedAddresses}::text[],
      domain_ids = ${terms.domainIds}::text[],
      folder_ids = ${terms.folderIds}::text[],
      calls_per_minute = ${terms.callsPerMinute}::int
    WHERE pk = ${pk}`);
}

export async function rotateKeyRow(
  tx: Connection,
  pk: number,
  secret: { hash: Buffer; hint: string },
  previousEndsAt: Date | null,
): Promise<void> {
  await tx.query(sql`
    UPDATE api_key
    SET previous_hash = CASE WHEN ${previousEndsAt}::timestamptz IS NULL THEN NULL ELSE hash END,
      previous_hint = CASE WHEN ${previousEndsAt}::timestamptz IS NULL THEN NULL ELSE hint END,
      previous_ends_at = ${previousEndsAt}::timestamptz,
      hash = ${secret.hash},
      hint = ${secret.hint}
    WHERE pk = ${pk}`);
}

export async function findGrantable(
  tx: Connection,
  { workspacePk, readerPk }: { workspacePk: number; readerPk: number | null },
  { domainIds, folderIds }: Pick<KeyTerms, "domainIds" | "folderIds">,
): Promise<ReadonlySet<string>> {
  // Uses domain_id_key and folder_id_key. Domains without a workspace are open to all.
  const rows = await tx.query<{ id: string }>(sql`
    SELECT domain.id
    FROM domain
    WHERE domain.id = ANY(${domainIds}::text[])
      AND (domain.workspace_pk = ${workspacePk} OR domain.workspace_pk IS NULL)
      AND domain.verified_at IS NOT NULL
    UNION ALL
    SELECT folder.id
    FROM folder
    WHERE folder.id = ANY(${folderIds}::text[])
      AND folder.workspace_pk = ${workspacePk}
      AND (${readerPk}::int IS NULL OR folder.access_level IS NOT NULL
        OR folder.user_pk = ${readerPk})`);
  return new Set(rows.map(({ id }) => id));
}

export async function keepKeyRow(tx: Connection, pk: number): Promise<boolean> {
  return await tx.any(
    sql`UPDATE api_key SET unproven = false WHERE pk = ${pk} AND unproven RETURNING pk`,
  );
}

export async function resumeKeyRow(tx: Connection, pk: number): Promise<boolean> {
  return await tx.any(sql`
    UPDATE api_key SET paused_at = NULL WHERE pk = ${pk} AND paused_at IS NOT NULL RETURNING pk`);
}

export async function revokeKeyRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`UPDATE api_key SET revoked_at = now() WHERE pk = ${pk}`);
}

export interface LoadedKey {
  hash: string;
  pendingApproval: boolean;
  paused: boolean;
  expiresAt: Date | null;
  allowedAddresses: string[];
  membership: Membership;
  grant: KeyGrant;
}

interface LoadedKeyRow extends Omit<Membership, "role" | "plan">, ReachRow {
  hash: string;
  pendingApproval: boolean;
  paused: boolean;
  expiresAt: Date | null;
  allowedAddresses: string[];
  role: string;
  plan: string;
  keyPk: number;
  keyId: string;
  scopes: string[];
  callsPerMinute: number | null;
}

/** Uses api_key_hash_key and api_key_previous_hash_key, then primary keys. */
export async function loadKeys(hashes: string[], on?: Connection): Promise<LoadedKey[]> {
  const rows = await query.on(on).query<LoadedKeyRow>({
    name: "auth-keys",
    // defence: previous-key-ends
    // defence: banned-person-keys
    text: `
    SELECT
      encode(secret.hash, 'hex') AS hash,
      api_key.pending_approval AS "pendingApproval",
      api_key.paused_at IS NOT NULL AS paused,
      api_key.pk AS "keyPk",
      api_key.id AS "keyId",
      api_key.scopes,
      secret.ends_at AS "expiresAt",
      api_key.calls_per_minute AS "callsPerMinute",
      ${reachColumns},
      api_key.allowed_addresses AS "allowedAddresses",
      membership.role,
      ${memberColumns}
    FROM (
      SELECT pk, hash, expires_at AS ends_at
      FROM api_key
      WHERE hash = ANY($1::bytea[])
      UNION ALL
      SELECT pk, previous_hash, least(previous_ends_at, expires_at)
      FROM api_key
      WHERE previous_hash = ANY($1::bytea[])
    ) AS secret
    JOIN api_key ON api_key.pk = secret.pk
    JOIN membership
      ON membership.workspace_pk = api_key.workspace_pk
      AND membership.user_pk = api_key.user_pk
    JOIN workspace ON workspace.pk = api_key.workspace_pk
    JOIN app_user ON app_user.pk = api_key.user_pk
    WHERE api_key.revoked_at IS NULL
      AND workspace.deleted_at IS NULL
      AND app_user.banned_at IS NULL`,
    values: [hashes.map((hash) => Buffer.from(hash, "hex"))],
  });
  return rows.map(
    ({ hash, expiresAt, allowedAddresses, keyPk, keyId, scopes, callsPerMinute, ...row }) => {
      const { pendingApproval, paused, ...owner } = row;
      const { domains, folderPks, role, plan, ...membership } = owner;
      const reach = reachOf({ domains, folderPks });
      return {
        hash,
        pendingApproval,
        paused,
        expiresAt,
        allowedAddresses,
        membership: { ...membership, role: roleOf(role), plan: planOf(plan) },
        grant: { pk: keyPk, id: keyId, scopes, reach, callsPerMinute },
      };
    },
  );
}

export async function listKeys(workspacePk: number, id?: string): Promise<ApiKey[]> {
  const rows = await prisma().apiKey.findMany({
    where: { workspacePk, revokedAt: null, ...(id === undefined ? {} : { id }) },
    orderBy: { pk: "desc" },
    include: { user: { select: { id: true, name: true, emailProvenAt: true } } },
  });
  return rows.map(({ user: { emailProvenAt, ...user }, ...row }) => ({
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    allowedAddresses: row.allowedAddresses,
    domainIds: row.domainIds,
    folderIds: row.folderIds,
    callsPerMinute: row.callsPerMinute,
    previous: previousOf(row),
    user,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    needsReview: row.unproven && emailProvenAt !== null,
    pendingApproval: row.pendingApproval,
    pausedAt: row.pausedAt?.toISOString() ?? null,
  }));
}

function previousOf(row: {
  previousHint: string | null;
  previousEndsAt: Date | null;
}): ApiKey["previous"] {
  const { previousHint: hint, previousEndsAt: endsAt } = row;
  if (hint === null || endsAt === null || endsAt.getTime() <= Date.now()) return null;
  return { hint, endsAt: endsAt.toISOString() };
}
