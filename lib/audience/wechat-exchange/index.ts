/**
 * Exchanges the codes that visitors bring back from WeChat (audience/wechat-codes), and adds the
 * users to their contacts. The openid is stored before name and picture are fetched, so that a
 * failure in between loses only these. Calls without an answer are repeated while the code is
 * valid.
 */
import { z } from "zod";
import { addWechatUser, endWechatCode } from "#lib/audience/contacts";
import type { WechatFacts } from "#lib/audience/contacts/schema";
import { countVirtualUser, noteUserCall, openAccountByPk } from "#lib/audience/wechat-accounts";
import {
  awaitProfile,
  type ClaimedCode,
  claimWechatCode,
  deferWechatCode,
  finishWechatCode,
  openWechatCode,
} from "#lib/audience/wechat-codes";
import {
  type ExchangedCode,
  exchangeCode,
  fetchProfile,
  isCodeRefused,
  isUserTokenRefused,
  refreshUserToken,
  type UserToken,
} from "#lib/audience/wechat-users";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import type { WechatFailure } from "#lib/platform/wechat";
import { type PeopleKeys, withPeopleKeys } from "#lib/tenancy/people-keys";

type OpenedAccount = NonNullable<Awaited<ReturnType<typeof openAccountByPk>>>;

const everyMs = 500;
const perRun = 50;
/** A run waits for WeChat while the next ones continue. */
const runsAtOnce = 20;
/** A code is valid for five minutes. */
const againAfterMs = 10_000;
const againMaxMs = 60_000;
/** Somebody has to correct something at WeChat first. */
const afterProblemMs = 60_000;

const counters = { exchanged: 0, profiles: 0, virtual: 0, refused: 0, late: 0, again: 0 };
exposeCounters("wechat_codes", "Codes of visitors from WeChat, by outcome.", counters);

/** Exchanges codes that are due, and returns their number. */
export async function exchangeWechatCodes(): Promise<number> {
  const calls: Promise<void>[] = [];
  const failures: unknown[] = [];
  while (calls.length < perRun) {
    const row = await claimWechatCode();
    if (!row) break;
    // Catch here: an unhandled failure while we claim the next row would end the process.
    calls.push(work(row).catch((error) => void failures.push(error)));
  }
  await Promise.all(calls);
  if (failures.length > 0) throw failures[0];
  return calls.length;
}

async function work(row: ClaimedCode): Promise<void> {
  const account = await openAccountByPk(row.account_pk);
  if (!account) return;
  const waiting = await openWechatCode(row);
  // defence: wechat-code-age
  if (row.is_late) {
    counters.late += 1;
    log.warn({ event: "wechat-code.late", account: account.app.appId, stage: row.stage });
    await ("code" in waiting ? end(row) : keepOpenid(row, account, waiting.token));
  } else if ("code" in waiting) await exchange(row, account, waiting.code);
  else await complete(row, account, waiting.token);
}

async function exchange(row: ClaimedCode, account: OpenedAccount, code: string): Promise<void> {
  const result = await exchangeCode(account.app, code);
  if (!result.ok) {
    await settleFailure(row, account, result);
    return;
  }
  await noteUserCall(account, result);
  const { value } = result;
  if (value.isVirtual) {
    counters.virtual += 1;
    await countVirtualUser(account.pk);
    await end(row);
    return;
  }
  counters.exchanged += 1;
  const user = userOf(account, value);
  const { openid, accessToken, refreshToken } = value;
  const token = { openid, accessToken, refreshToken };
  if (!row.profile) await finish(row, user);
  else if (await store(row, user, false, (tx, keys) => awaitProfile(tx, keys, row, token))) {
    await complete(row, account, token);
  }
}

/** WeChat refused either the code or the account. */
async function settleFailure(row: ClaimedCode, account: OpenedAccount, failure: WechatFailure) {
  const { problem, errcode } = failure;
  const isRefused = isCodeRefused(errcode);
  // What a visitor sends says nothing about the account.
  // defence: visitor-failures-not-of-account
  if (!isRefused) await noteUserCall(account, failure);
  if (isRefused || problem === "refused") {
    counters.refused += 1;
    log.warn({ event: "wechat-code.refused", account: account.app.appId, errcode });
    await end(row);
    return;
  }
  await again(row, problem === "busy" || problem === "unreachable" ? againAfterMs : afterProblemMs);
}

async function again(row: ClaimedCode, waitMs: number): Promise<void> {
  counters.again += 1;
  await deferWechatCode(row, Math.min(waitMs * 2 ** Math.min(row.attempts - 1, 10), againMaxMs));
}

async function end(row: ClaimedCode): Promise<void> {
  await transaction((tx) => endWechatCode(tx, row));
}

async function complete(row: ClaimedCode, account: OpenedAccount, token: UserToken): Promise<void> {
  const result = await profileOf(account, token);
  if (result.ok) {
    counters.profiles += 1;
    const { unionid, nickname, picture } = result.value;
    const user = userOf(account, { ...token, unionid });
    const full = { ...user, nickname: nickname || null, picture: picture || null };
    await finish(row, full);
    return;
  }
  const { problem, errcode } = result;
  const isOver = isUserTokenRefused(errcode);
  if (!isOver) await noteUserCall(account, result);
  if (isOver || problem === "refused" || problem === "permission") {
    counters.refused += 1;
    log.warn({ event: "wechat-profile.refused", account: account.app.appId, errcode });
    await keepOpenid(row, account, token);
    return;
  }
  await again(row, againAfterMs);
}

async function keepOpenid(row: ClaimedCode, account: OpenedAccount, { openid }: UserToken) {
  await finish(row, userOf(account, { openid, unionid: "" }));
}

async function finish(row: ClaimedCode, user: WechatFacts): Promise<void> {
  await store(row, user, true, (tx) => finishWechatCode(tx, row));
}

/** Tries again with another token if WeChat refuses the first. */
async function profileOf({ app }: OpenedAccount, token: UserToken) {
  const result = await fetchProfile(token);
  if (result.ok || !isUserTokenRefused(result.errcode)) return result;
  const next = await refreshUserToken(app, token);
  return next.ok ? await fetchProfile(next.value) : result;
}

function userOf(
  { app }: OpenedAccount,
  { openid, unionid }: Pick<ExchangedCode, "openid" | "unionid">,
): WechatFacts {
  return { appId: app.appId, openid, unionid: unionid || null, nickname: null, picture: null };
}

/** The contact was erased, or the lease ended and another worker has the row. Nothing is stored. */
class Overtaken extends Error {}

/** Stores the user and the state of the row in one transaction. False: nothing was stored. */
async function store(
  row: ClaimedCode,
  user: WechatFacts,
  isLast: boolean,
  settle: (tx: Connection, keys: PeopleKeys) => Promise<boolean>,
): Promise<boolean> {
  try {
    await withPeopleKeys(row.workspace_pk, (keys) =>
      transaction(async (tx) => {
        if (!(await addWechatUser(tx, keys, row, { ...user, isLast }))) throw new Overtaken();
        if (!(await settle(tx, keys))) throw new Overtaken();
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}

export const wechatCodeJobs = [
  defineJob({
    name: "wechat-codes.exchange",
    schema: z.object({}),
    handle: exchangeWechatCodes,
    everyMs,
    due: () => "EXISTS (SELECT FROM wechat_code WHERE stage <> 'done' AND due_at <= now())",
    concurrency: runsAtOnce,
  }),
];
