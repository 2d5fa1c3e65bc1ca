import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WechatProblem } from "#lib/platform/wechat/schema";
import type { WechatKind } from "./schema.ts";

export interface AccountRow {
  pk: number;
  id: string;
  workspace_pk: number;
  kind: WechatKind;
  name: string;
  app_id: string;
  sealed: Buffer;
  problem: WechatProblem | null;
  errcode: number | null;
  address: string | null;
  problem_at: Date | null;
  attempts: number;
  next_at: Date | null;
  user_problem: WechatProblem | null;
  user_errcode: number | null;
  user_address: string | null;
  user_problem_at: Date | null;
  virtual_users: number;
  created_at: Date;
}

const columns = `pk, id, workspace_pk, kind, name, app_id, sealed, problem, errcode, address, problem_at, attempts,
  next_at, user_problem, user_errcode, user_address, user_problem_at, virtual_users, created_at`;

export interface NewRow {
  id: string;
  workspacePk: number;
  kind: WechatKind;
  name: string;
  appId: string;
  sealed: Buffer;
}

/** Undefined if the workspace has an account with this AppID. */
export async function insertRow(
  tx: Connection,
  { id, workspacePk, kind, name, appId, sealed }: NewRow,
): Promise<AccountRow | undefined> {
  const text = `
    INSERT INTO wechat_account (id, workspace_pk, kind, name, app_id, sealed)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (workspace_pk, app_id) DO NOTHING
    RETURNING ${columns}`;
  const values = [id, workspacePk, kind, name, appId, sealed];
  return await tx.one<AccountRow>({ text, values });
}

/** In a transaction, locks the row. Answered by wechat_account_id_key. */
export async function findRow(workspacePk: number, id: string, tx?: Connection) {
  // defence: wechat-account-of-workspace
  const text = `
    SELECT ${columns}
    FROM wechat_account
    WHERE id = $1
      AND workspace_pk = $2
    ${tx ? "FOR UPDATE" : ""}`;
  return await query.on(tx).one<AccountRow>({ text, values: [id, workspacePk] });
}

/** A mini program. Answered by wechat_account_app. */
export async function findRowOfApp(workspacePk: number, appId: string) {
  const text = `
    SELECT ${columns}
    FROM wechat_account
    WHERE workspace_pk = $1
      AND app_id = $2
      AND kind = 'miniProgram'`;
  return await query.one<AccountRow>({ text, values: [workspacePk, appId] });
}

/** Answered by wechat_account_app. */
export async function listRows(workspacePk: number): Promise<AccountRow[]> {
  const text = `SELECT ${columns} FROM wechat_account WHERE workspace_pk = $1 ORDER BY name, pk`;
  return await query<AccountRow>({ text, values: [workspacePk] });
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by wechat_account_app.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM wechat_account WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

/** Changes a locked account, and allows calls again. */
export async function updateRow(
  tx: Connection,
  pk: number,
  { name, sealed }: { name: string; sealed: Buffer },
): Promise<AccountRow | undefined> {
  const text = `
    UPDATE wechat_account
    SET name = $2, sealed = $3, attempts = 0, next_at = now(), user_problem = NULL
    WHERE pk = $1
    RETURNING ${columns}`;
  return await tx.one<AccountRow>({ text, values: [pk, name, sealed] });
}

export async function deleteRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM wechat_account WHERE pk = ${pk}`);
}

/** Writes nothing if there was no problem. Answered by wechat_account_pkey. */
export async function clearProblem(pk: number): Promise<void> {
  await query(sql`
    UPDATE wechat_account
    SET problem = NULL, errcode = NULL, address = NULL, problem_at = NULL, attempts = 0, next_at = now()
    WHERE pk = ${pk}
      AND (problem IS NOT NULL OR next_at IS NULL)`);
}

export interface Problem {
  problem: WechatProblem;
  errcode: number | null;
  address: string | null;
  now: Date;
  /** Null: no call until somebody edits or checks the account. */
  nextAt: Date | null;
}

/** Stores the problem of a failed call. Answered by wechat_account_pkey. */
export async function putProblem(pk: number, given: Problem): Promise<void> {
  const { problem, errcode, address, now, nextAt } = given;
  await query(sql`
    UPDATE wechat_account
    SET problem = ${problem}, errcode = ${errcode}, address = ${address}, problem_at = ${now},
      attempts = attempts + 1, next_at = ${nextAt}
    WHERE pk = ${pk}`);
}

/** Answered by wechat_account_pkey. */
export async function findRowByPk(pk: number): Promise<AccountRow | undefined> {
  const text = `SELECT ${columns} FROM wechat_account WHERE pk = $1`;
  return await query.one<AccountRow>({ text, values: [pk] });
}

/** Writes nothing if there was no problem. Answered by wechat_account_pkey. */
export async function clearUserProblem(pk: number): Promise<void> {
  await query(sql`
    UPDATE wechat_account
    SET user_problem = NULL, user_errcode = NULL, user_address = NULL, user_problem_at = NULL
    WHERE pk = ${pk}
      AND user_problem IS NOT NULL`);
}

/** Answered by wechat_account_pkey. */
export async function putUserProblem(
  pk: number,
  { problem, errcode, address, now }: Omit<Problem, "nextAt">,
): Promise<void> {
  await query(sql`
    UPDATE wechat_account
    SET user_problem = ${problem}, user_errcode = ${errcode}, user_address = ${address}, user_problem_at = ${now}
    WHERE pk = ${pk}`);
}

/** Answered by wechat_account_pkey. */
export async function countVirtual(pk: number): Promise<void> {
  await query(sql`UPDATE wechat_account SET virtual_users = virtual_users + 1 WHERE pk = ${pk}`);
}

/** Leases official accounts without a problem. Answered by wechat_account_ticket. */
export async function takeDueTickets(max: number, leaseMs: number): Promise<AccountRow[]> {
  const text = `
    WITH due AS (
      SELECT pk AS due_pk
      FROM wechat_account
      WHERE kind = 'officialAccount'
        AND ticket_at <= now()
        AND next_at <= now()
      ORDER BY ticket_at
      LIMIT $1
      FOR UPDATE SKIP LOCKED
    )
    UPDATE wechat_account
    SET ticket_at = now() + $2 * interval '1 millisecond'
    FROM due
    WHERE pk = due_pk
    RETURNING ${columns}`;
  return await query<AccountRow>({ text, values: [max, leaseMs] });
}
