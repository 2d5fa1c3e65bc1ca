import { parseId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import { type SealedColumn, unseal } from "#lib/platform/sealing";
import { retryAt, secretPurpose, type WechatApp, type WechatResult } from "#lib/platform/wechat";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { WechatKind } from "./schema.ts";
import {
  type AccountRow,
  clearProblem,
  clearUserProblem,
  findRow,
  findRowByPk,
  findRowOfApp,
  putProblem,
  putUserProblem,
} from "./store.ts";

export const wechatColumn: SealedColumn = {
  table: "wechat_account",
  column: "sealed",
  key: ["pk"],
  purpose: secretPurpose,
  binding: "id",
};

/** In a transaction, locks the row. */
export async function getAccount(
  { workspacePk }: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<AccountRow> {
  const row = parseId("wxa", id) === undefined ? undefined : await findRow(workspacePk, id, tx);
  if (row) return row;
  throw new AppError("not_found", `WeChat account "${id}" not found in this workspace.`);
}

export interface OpenedAccount {
  pk: number;
  kind: WechatKind;
  workspacePk: number;
  attempts: number;
  app: WechatApp;
}

export function openRow(row: AccountRow): OpenedAccount {
  const { pk, id, kind, workspace_pk: workspacePk, attempts, app_id: appId, sealed } = row;
  return {
    pk,
    kind,
    workspacePk,
    attempts,
    app: { appId, secret: unseal(secretPurpose, sealed, id).toString() },
  };
}

/** Undefined: the workspace has no mini program with this AppID. */
export async function openAccountOfApp(
  workspacePk: number,
  appId: string,
): Promise<OpenedAccount | undefined> {
  const row = await findRowOfApp(workspacePk, appId);
  return row && openRow(row);
}

/** Notes the result of a call, which people see and which decides when the next call is due. */
export async function noteCall({ pk, attempts }: OpenedAccount, result: WechatResult<unknown>) {
  if (result.ok) return await clearProblem(pk);
  const { problem, errcode, address } = result;
  const now = Date.now();
  const next = retryAt(problem, attempts, now);
  const nextAt = next === null ? null : new Date(next);
  await putProblem(pk, { problem, errcode, address, now: new Date(now), nextAt });
}

export async function openAccountByPk(pk: number): Promise<OpenedAccount | undefined> {
  const row = await findRowByPk(pk);
  return row && openRow(row);
}

/** Noted separately, because an account may have tickets but no permission for user info. */
export async function noteUserCall({ pk }: OpenedAccount, result: WechatResult<unknown>) {
  if (result.ok) return await clearUserProblem(pk);
  const { problem, errcode, address } = result;
  await putUserProblem(pk, { problem, errcode, address, now: new Date() });
}
