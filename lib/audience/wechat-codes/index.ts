/**
 * Codes that visitors bring back from WeChat. They are stored encrypted until a job exchanges them,
 * so that no visitor waits.
 *
 *     code ──exchange──▶ profile ──name and picture──▶ done
 *       └──────────────────────────────────────────────┘ openid only, refused, late, virtual
 *
 * A worker commits its lease of a row before it calls WeChat, so two workers never use a code at
 * the same time. If a lease ends without a result, the call is repeated while the code is valid.
 * WeChat accepts a code once, so it refuses to repeat an exchange whose answer was lost. Finished
 * rows keep their state, so that it is not used again.
 */
import { codeMinutes, type UserToken } from "#lib/audience/wechat-users";
import { minuteMs } from "#lib/basics/time/schema";
import type { Connection } from "#lib/platform/postgres";
import {
  holdVersion,
  openPeopleKeys,
  type PeopleKeys,
  type SealedTable,
} from "#lib/tenancy/people-keys";
import { type ClaimedCode, claimDue, insertRow, setProfileStage } from "./store.ts";

export type { ClaimedCode } from "./store.ts";
export {
  deferRow as deferWechatCode,
  findContact as findContactOfCode,
  finishRow as finishWechatCode,
  moveRows as moveWechatCodes,
} from "./store.ts";

/** Answered by wechat_code_workspace. The rows expire before their key is dropped. */
export const sealedWechatCodes: SealedTable = {
  table: "wechat_code",
  column: "sealed",
  where: "stage <> 'done'",
};

/** How long a visitor may stay at WeChat. A state can be used once in this time. */
const stateMinutes = 15;
/** An attempt this close to the expiration of the code would come too late. */
const codeMarginMs = 10_000;
/** Validity of a visitor’s token. */
const profileMs = 110 * minuteMs;
/** The exchange, a refresh and the profile have 20 seconds each. */
const leaseMs = 90_000;
/** Leased rows per workspace, so that other workspaces get their turn. */
const perWorkspace = 20;

export interface NewWechatCode {
  id: string;
  accountPk: number;
  contact: string;
  formPk: number;
  formVersion: number;
  linkPk: number;
  isNew: boolean;
  profile: boolean;
  code: string;
}

/** False: the state was used before, or the contact was erased. */
export async function addWechatCode(
  tx: Connection,
  keys: PeopleKeys,
  { code, ...row }: NewWechatCode,
  now = new Date(),
): Promise<boolean> {
  await holdVersion(tx, keys);
  const after = (ms: number) => new Date(now.getTime() + ms);
  return await insertRow(tx, {
    ...row,
    workspacePk: keys.workspacePk,
    version: keys.version,
    sealed: keys.seal(JSON.stringify({ code }), row.id),
    now,
    validUntil: after(codeMinutes * minuteMs - codeMarginMs),
    expiresAt: after(stateMinutes * minuteMs),
  });
}

/** Leases a row that is due. */
export async function claimWechatCode(): Promise<ClaimedCode | undefined> {
  return await claimDue({ perWorkspace, leaseMs });
}

export type Waiting = { code: string } | { token: UserToken };

export async function openWechatCode(row: ClaimedCode): Promise<Waiting> {
  const keys = await openPeopleKeys(row.workspace_pk);
  const { id, key_version: version, sealed } = row;
  return JSON.parse(keys.unseal({ version, sealed }, id)) as Waiting;
}

/** Called in the transaction that stores the openid. False: another worker has the row. */
export async function awaitProfile(
  tx: Connection,
  keys: PeopleKeys,
  row: ClaimedCode,
  token: UserToken,
): Promise<boolean> {
  await holdVersion(tx, keys);
  const sealed = keys.seal(JSON.stringify({ token }), row.id);
  return await setProfileStage(tx, row, { version: keys.version, sealed, profileMs });
}
