/** Keys that need the approval of an administrator (FUXI_KEY_APPROVAL). Declined ones are revoked. */
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import { keyEntry } from "#lib/tenancy/key-changes";
import { addNotification } from "#lib/tenancy/notifications";
import { auditLooks, type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import type { PendingKey } from "./schema.ts";

const listedMax = 100;

type PendingRow = Omit<PendingKey, "createdAt"> & { workspacePk: number; createdAt: Date };

export async function listPendingKeys(operator: OperatorScope): Promise<PendingKey[]> {
  // Uses api_key_pending, then primary keys.
  const rows = await query<PendingRow>(sql`
    SELECT
      api_key.id,
      api_key.name,
      api_key.hint,
      api_key.scopes,
      api_key.created_at AS "createdAt",
      api_key.workspace_pk AS "workspacePk",
      json_build_object('id', workspace.id, 'name', workspace.name) AS workspace,
      json_build_object('id', app_user.id, 'name', app_user.name, 'email', app_user.email) AS "user"
    FROM api_key
    JOIN workspace ON workspace.pk = api_key.workspace_pk
    JOIN app_user ON app_user.pk = api_key.user_pk
    WHERE api_key.pending_approval
      AND api_key.revoked_at IS NULL
      AND workspace.deleted_at IS NULL
    ORDER BY api_key.pk
    LIMIT ${listedMax}`);
  const looked = rows.map(({ workspacePk }) => workspacePk);
  if (looked.length > 0) await auditLooks(operator, looked, {});
  return rows.map(({ workspacePk: _, createdAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
  }));
}

/** Throws not_found if the key is not pending. */
export async function approveKey(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  await decide(operator, id, "approve", reason);
}

/** Sends the creator the reason. Throws not_found if the key is not pending. */
export async function declineKey(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  await decide(operator, id, "decline", reason);
}

interface DecidedRow {
  name: string;
  workspacePk: number;
  userPk: number;
  hashes: string[];
}

async function decide(
  operator: OperatorScope,
  id: string,
  decision: "approve" | "decline",
  reason: string,
): Promise<void> {
  const isApproved = decision === "approve";
  const changes = await transaction(async (tx) => {
    const [key] = await tx.query<DecidedRow>(sql`
      UPDATE api_key
      SET pending_approval = false,
        revoked_at = CASE WHEN ${isApproved}::bool THEN NULL ELSE now() END
      WHERE id = ${id}
        AND pending_approval
        AND revoked_at IS NULL
      RETURNING name, workspace_pk AS "workspacePk", user_pk AS "userPk",
        array_remove(ARRAY[encode(hash, 'hex'), encode(previous_hash, 'hex')], NULL) AS hashes`);
    if (!key) throw new AppError("not_found", "No pending API key has this ID. Reload the list.");
    const { name, workspacePk, userPk, hashes } = key;
    const revision = await takeRevision(tx);
    const published = hashes.map((hash) => ({ entry: keyEntry(hash), revision }));
    await recordChanges(tx, published);
    const action = `operator.${decision}_key` as const;
    const operation = { workspacePk, action, subject: id, reason, details: { name } };
    await recordOperation(tx, operator, operation);
    const kind = isApproved ? "key.approved" : "key.declined";
    const notification = { workspacePk, userPk, kind, subject: id } as const;
    await addNotification(tx, { ...notification, details: { name, reason } });
    return published;
  });
  await publishChanges(changes);
}
