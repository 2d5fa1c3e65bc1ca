/**
 * Codes that visitors bring back from WeChat: encrypted until a job exchanges them, so that no visitor waits.
 *
 *     code ──exchange──▶ profile ──name and picture──▶ done
 *       └──────────────────────────────────────────────┘ only the openid, refused, too late, or a virtual person
 *
 * A worker leases a row, and the lease is committed before WeChat is called: two workers never use a code at the same
 * time. A lease that ends without a result is tried again while the code is valid. WeChat accepts a code once, so what
 * had been exchanged unseen is refused then. Rows that are done keep only the state, so that it is not used again.
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

/** Answered by wechat_code_workspace. They expire before their key is dropped. */
export const sealedWechatCodes: SealedTable = {
  table: "wechat_code",
  column: "sealed",
  where: "stage <> 'done'",
};

/** A visitor may need so long at WeChat, and a state is used once within it. */
const stateMinutes = 15;
/** An attempt that begins later would be too late. */
const codeMarginMs = 10_000;
/** Of the token of a visitor. */
const profileMs = 110 * minuteMs;
/** The exchange, a refresh and the profile have 20 seconds each. */
const leaseMs = 90_000;
/** Rows of one workspace that are leased at once: others have their turn. */
const perWorkspace = 20;

export interface NewWechatCode {
  /** The state, a UUID. */
  id: string;
  accountPk: number;
  /** UUID of the contact. */
  contact: string;
  formPk: number;
  formVersion: number;
  linkPk: number;
  isNew: boolean;
  /** Name and picture, too. */
  profile: boolean;
  code: string;
}

/** Keeps a code in the transaction of the caller. False: the state was used before, or the contact was erased. */
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

/** Leases a row that is due. Undefined: there is none. */
export async function claimWechatCode(): Promise<ClaimedCode | undefined> {
  return await claimDue({ perWorkspace, leaseMs });
}

export type Waiting = { code: string } | { token: UserToken };

/** What waits in a leased row. */
export async function openWechatCode(row: ClaimedCode): Promise<Waiting> {
  const keys = await openPeopleKeys(row.workspace_pk);
  const { id, key_version: version, sealed } = row;
  return JSON.parse(keys.unseal({ version, sealed }, id)) as Waiting;
}

/** The code was exchanged: name and picture are fetched with the token. In the transaction that stores the openid. False: another worker has the row. */
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
