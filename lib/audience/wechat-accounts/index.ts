/**
 * The WeChat accounts of a workspace: mini programs and official accounts. A job keeps the tickets
 * of official accounts. The AppSecret is sealed for its row and never returned. The result of each
 * call to WeChat is noted: people see it in the settings, and jobs wait as long as the problem
 * requires, or until somebody edits or checks the account.
 */

import { z } from "zod";
import { newId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { seal } from "#lib/platform/sealing";
import { fetchTicket, findToken, secretPurpose, type WechatResult } from "#lib/platform/wechat";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import {
  getAccount,
  noteCall,
  noteUserCall,
  type OpenedAccount,
  openRow,
} from "./open-accounts.ts";
import type { EditWechatAccount, NewWechatAccount, WechatAccount } from "./schema.ts";
import {
  type AccountRow,
  countRows,
  deleteRow,
  insertRow,
  listRows,
  takeDueTickets,
  updateRow,
} from "./store.ts";

export {
  getAccount,
  noteCall,
  noteUserCall,
  openAccountByPk,
  openAccountOfApp,
  wechatColumn,
} from "./open-accounts.ts";
export { countVirtual as countVirtualUser } from "./store.ts";

export const wechatAccountsMax = 20;

export async function listWechatAccounts(scope: WorkspaceScope): Promise<WechatAccount[]> {
  assertMay(scope, "links.read");
  return (await listRows(scope.workspacePk)).map(present);
}

export async function createWechatAccount(
  scope: WorkspaceScope,
  { kind, name, appId, secret }: NewWechatAccount,
): Promise<WechatAccount> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  const id = newId("wxa");
  const sealed = seal(secretPurpose, Buffer.from(secret), id);
  return await transaction(async (tx) => {
    // One create at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), wechatAccountsMax, "WeChat accounts", {
      problem: "wechat_accounts_full",
    });
    const row = await insertRow(tx, { id, workspacePk, kind, name, appId, sealed });
    if (!row) {
      const message = "appId: The workspace already has this account.";
      throw new AppError("conflict", message, { problem: "wechat_app_exists" });
    }
    const details = { name, appId };
    await recordAudit(tx, [
      { workspacePk, actor, action: "wechat-account.create", subject: id, details },
    ]);
    return present(row);
  });
}

export async function editWechatAccount(
  scope: WorkspaceScope,
  id: string,
  { name, secret }: EditWechatAccount,
): Promise<WechatAccount> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    const before = await getAccount(scope, id, tx);
    const sealed =
      secret === undefined ? before.sealed : seal(secretPurpose, Buffer.from(secret), before.id);
    const after = { name: name ?? before.name, sealed };
    const row = await updateRow(tx, before.pk, after);
    if (!row) throw new Error("A locked account is missing");
    const details = {
      ...changesOf({ name: before.name }, { name: after.name }),
      // The log only says that the secret changed.
      ...(secret === undefined ? {} : { secret: true }),
    };
    if (Object.keys(details).length > 0) {
      await recordAudit(tx, [
        { workspacePk, actor, action: "wechat-account.edit", subject: id, details },
      ]);
    }
    return present(row);
  });
}

/** Within a minute, links open the mini program by its plain URL Scheme again. */
export async function deleteWechatAccount(
  scope: WorkspaceScope,
  id: string,
): Promise<{ id: string }> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const { pk, name } = await getAccount(scope, id, tx);
    await deleteRow(tx, pk);
    const details = { name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "wechat-account.delete", subject: id, details },
    ]);
  });
  return { id };
}

/** Checks whether WeChat accepts the AppID and AppSecret. Afterwards jobs try again at once. */
export async function checkWechatAccount(
  scope: WorkspaceScope,
  id: string,
): Promise<WechatAccount> {
  assertMay(scope, "workspace.write");
  const account = openRow(await getAccount(scope, id));
  const attempt = await tryLimit("wechatCallPerWorkspace", String(scope.workspacePk));
  if (!attempt.ok) {
    const message = "Too many account checks. Try again in a moment.";
    throw new AppError("rate_limit_exceeded", message, attempt);
  }
  const result = await checkOne(account);
  await noteCall(account, result);
  // Visitors are asked again. The next one shows whether that works.
  if (result.ok) await noteUserCall(account, result);
  return present(await getAccount(scope, id));
}

/** Checks what links need: only verified service accounts have a ticket. */
async function checkOne({ kind, app }: OpenedAccount): Promise<WechatResult<string>> {
  return kind === "officialAccount" ? await fetchTicket(app) : await findToken(app);
}

function present(row: AccountRow): WechatAccount {
  const { id, kind, name, app_id: appId, problem, errcode, address, problem_at, next_at } = row;
  const { user_problem: userProblem, user_problem_at: userProblemAt } = row;
  return {
    id,
    kind,
    name,
    appId,
    problem: problem && {
      code: problem,
      errcode,
      address,
      at: (problem_at ?? row.created_at).toISOString(),
      nextAt: next_at?.toISOString() ?? null,
    },
    userProblem: userProblem && {
      code: userProblem,
      errcode: row.user_errcode,
      address: row.user_address,
      at: (userProblemAt ?? row.created_at).toISOString(),
      nextAt: null,
    },
    virtualUsers: row.virtual_users,
    createdAt: row.created_at.toISOString(),
  };
}

const everyMs = 30_000;
/** Each account is checked once a minute. Usually its ticket is still in Redis. */
const leaseMs = 60_000;
const takenMax = 200;
/** Short, so that the worker’s other jobs get their turn. The rest is due again a minute later. */
const runMaxMs = 20_000;

/** Fetches tickets in advance, so that visits never wait for WeChat. Returns how many there are. */
export async function fetchTickets(): Promise<number> {
  const endsAt = Date.now() + runMaxMs;
  let kept = 0;
  for (const row of await takeDueTickets(takenMax, leaseMs)) {
    if (Date.now() > endsAt) break;
    const account = openRow(row);
    const result = await fetchTicket(account.app);
    await noteCall(account, result);
    if (result.ok) kept += 1;
  }
  return kept;
}

export const wechatTicketJobs = [
  defineJob({
    name: "wechat-ticket.fetch",
    schema: z.object({}),
    handle: () => fetchTickets(),
    everyMs,
  }),
];
