/**
 * Public keys of a workspace, for its sites. A key is not a secret: it can only report leads and
 * sales from the hosts that it names. The browser sends the host in `Origin`; other programs can
 * send anything, so these sales are not verified.
 */
import { randomBytes } from "node:crypto";
import { newId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { isFromHost, type NewTrackingKey, type TrackingKey } from "./schema.ts";

const keysMax = 50;
const keyBytes = 18;
const keyPrefix = "fuxi_pk_";

interface KeyRow {
  id: string;
  name: string;
  key: string;
  hosts: string[];
  created_at: Date;
}

function present({ created_at: at, ...row }: KeyRow): TrackingKey {
  return { ...row, createdAt: at.toISOString() };
}

export async function listTrackingKeys(scope: WorkspaceScope): Promise<TrackingKey[]> {
  assertMay(scope, "keys.read");
  // Answered by tracking_key_list.
  const rows = await query<KeyRow>(sql`
    SELECT id, name, key, hosts, created_at
    FROM tracking_key
    WHERE workspace_pk = ${scope.workspacePk}
    ORDER BY pk DESC`);
  return rows.map(present);
}

export async function createTrackingKey(
  scope: WorkspaceScope,
  { name, hosts }: NewTrackingKey,
): Promise<TrackingKey> {
  assertMay(scope, "keys.write");
  const { workspacePk, actor } = scope;
  const id = newId("pk");
  const key = keyPrefix + randomBytes(keyBytes).toString("base64url");
  return await transaction(async (tx) => {
    // One at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    // Answered by tracking_key_list.
    const [owned] = await tx.query<{ count: number }>(
      sql`SELECT count(*) AS count FROM tracking_key WHERE workspace_pk = ${workspacePk}`,
    );
    assertRoom(owned?.count ?? 0, keysMax, "public keys", { problem: "tracking_keys_full" });
    const [row] = await tx.query<KeyRow>(sql`
      INSERT INTO tracking_key (id, workspace_pk, name, key, hosts)
      VALUES (${id}, ${workspacePk}, ${name}, ${key}, ${hosts}::text[])
      RETURNING id, name, key, hosts, created_at`);
    if (!row) throw new Error("An INSERT returned no row");
    const details = { name, hosts };
    const action = "tracking-key.create";
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
    return present(row);
  });
}

/** Its site can no longer report anything. Throws not_found. */
export async function deleteTrackingKey(
  scope: WorkspaceScope,
  id: string,
): Promise<{ id: string }> {
  assertMay(scope, "keys.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    // Answered by tracking_key_id_key.
    const [row] = await tx.query<{ name: string }>(sql`
      DELETE FROM tracking_key
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
      RETURNING name`);
    if (!row) throw new AppError("not_found", `Public key "${id}" not found in this workspace.`);
    const action = "tracking-key.delete";
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details: row }]);
  });
  return { id };
}

/** Throws a 401 for an unknown key, and a 403 for another host. */
export async function openTrackingKey(
  key: string,
  origin: string | undefined,
): Promise<{ workspacePk: number; workspaceId: string }> {
  // Answered by tracking_key_key_key and workspace_pkey.
  const [row] = await query<{ workspacePk: number; workspaceId: string; hosts: string[] }>(sql`
    SELECT workspace.pk AS "workspacePk", workspace.id AS "workspaceId", tracking_key.hosts
    FROM tracking_key
    JOIN workspace ON workspace.pk = tracking_key.workspace_pk
    WHERE tracking_key.key = ${key}
      AND workspace.deleted_at IS NULL
      AND workspace.banned_at IS NULL`);
  if (!row) throw new AppError("unauthorized", "This public key is unknown or deleted.");
  const { hosts, ...owner } = row;
  // defence: public-key-hosts
  if (origin !== undefined && isFromHost(origin, hosts)) return owner;
  const message =
    "This public key doesn’t accept requests from this site. Add its host to the key.";
  throw new AppError("forbidden", message);
}

/**
 * The workspace of a domain, for calls without a key. Throws a 401 for a domain of no workspace, and a 403 unless one of its
 * public keys names the host.
 */
export async function openTrackedDomain(
  slug: string,
  origin: string | undefined,
): Promise<{ workspacePk: number }> {
  // Answered by domain_serving, workspace_pkey and tracking_key_list.
  const rows = await query<{ workspacePk: number; hosts: string[] | null }>(sql`
    SELECT workspace.pk AS "workspacePk", tracking_key.hosts
    FROM domain
    JOIN workspace ON workspace.pk = domain.workspace_pk
    LEFT JOIN tracking_key ON tracking_key.workspace_pk = workspace.pk
    WHERE domain.slug = ${slug}
      AND domain.verified_at IS NOT NULL
      AND workspace.deleted_at IS NULL
      AND workspace.banned_at IS NULL`);
  const [row] = rows;
  if (!row) {
    const advice = "Use a domain of your workspace, or send your public key.";
    throw new AppError("unauthorized", advice);
  }
  const known = rows.flatMap(({ hosts }) => hosts ?? []);
  // defence: public-click-hosts
  if (origin !== undefined && isFromHost(origin, known)) return { workspacePk: row.workspacePk };
  const message =
    "This domain doesn’t accept clicks from this site. Add the host of the site to a public key of the workspace.";
  throw new AppError("forbidden", message);
}
