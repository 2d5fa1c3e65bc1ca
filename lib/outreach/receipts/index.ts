/**
 * Receipts and replies: what became of messages, and who wants no more of them. A gateway posts to
 * the address with its token and signs its requests if it can (Twilio). A receipt can only change
 * messages that this gateway was asked to send. Receipts may come twice, in any order, or for
 * unknown messages: none of these is an error.
 */
import { parseId } from "#lib/basics/ids";
import { type OpenedGateway, openGatewayByToken } from "#lib/outreach/gateway-accounts";
import { readRows } from "#lib/outreach/gateways";
import { eventOf, type Receipt, type Reply } from "#lib/outreach/gateways/schema";
import { optOutBySystem } from "#lib/outreach/opt-outs";
import { unsealPerson } from "#lib/outreach/people";
import { getSendableRow, storableCode } from "#lib/outreach/sending";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { exposeCounters } from "#lib/platform/log";
import { parsePhone } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { type AppliedReceipts, receiptRow, type UncheckedReceipts } from "./schema.ts";
import {
  type FoundSend,
  findAddressed,
  findByMessage,
  findByRecipient,
  findByRemote,
  findUnknown,
  insertOwn,
  type Settled,
  settle,
} from "./store.ts";

const counters = {
  ...{ applied: 0, repeated: 0, unknown: 0, optOuts: 0 },
  /** Calls: with a token of no gateway, with a wrong signature, and with invalid rows. */
  ...{ forged: 0, unsigned: 0, invalid: 0 },
};
exposeCounters("campaign_receipts", "Receipts of messages by outcome.", counters);

const optedOutCode = "opted_out";

interface GatewayRequest {
  /** With its question mark, or empty. */
  search: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

interface Match {
  receipt: Receipt;
  found: FoundSend;
}

/** Returns the response that the gateway expects, if any. */
export async function receiveFromGateway(
  token: string,
  { search, headers, body }: GatewayRequest,
  address: string,
): Promise<object | null> {
  const gateway = await openGatewayByToken(token);
  if (!gateway) return await refuseForged(address);
  const events = gateway.client.read({ url: gateway.receiptUrl + search, headers, body });
  if (!events) {
    counters.unsigned += 1;
    throw noGateway();
  }
  const keys = await openPeopleKeys(gateway.workspacePk);
  if (events.receipts.length > 0) await applyReceipts(gateway, keys, events.receipts);
  if (events.replies.length > 0) await applyReplies(gateway, keys, events.replies);
  if (events.problem === undefined) return gateway.client.confirmation;
  throw refuseRows(events.problem, events.receipts.length + events.replies.length);
}

function refuseRows(problem: string, applied: number): AppError {
  counters.invalid += 1;
  const rest = applied > 0 ? " All other rows were applied." : "";
  return new AppError("unprocessable_entity", problem + rest);
}

function noGateway(): AppError {
  return new AppError("not_found", "There is no gateway with this address and signature.");
}

async function refuseForged(address: string): Promise<never> {
  counters.forged += 1;
  const attempt = await tryLimit("gatewayTokenPerAddress", addressSubject(address));
  if (attempt.ok) throw noGateway();
  throw new AppError("rate_limit_exceeded", "Too many requests.", attempt);
}

async function applyReceipts(
  gateway: OpenedGateway,
  keys: PeopleKeys,
  receipts: readonly Receipt[],
): Promise<void> {
  const { matches, changed } = await transaction(async (tx) => {
    const found = await matchReceipts(tx, gateway, keys, receipts);
    return { matches: found, changed: await settle(tx, settledOf(found)) };
  });
  counters.applied += changed;
  counters.repeated += matches.length - changed;
  counters.unknown += receipts.length - matches.length;
  const gone = matches.filter(({ receipt }) => receipt.state === "optedOut");
  await optOut(
    keys,
    gone.map(({ found }) => found),
  );
}

async function matchReceipts(
  tx: Connection,
  gateway: OpenedGateway,
  keys: PeopleKeys,
  receipts: readonly Receipt[],
): Promise<Match[]> {
  const remoteOf = ({ gatewayId }: Receipt) => (gatewayId === null ? null : keys.hash(gatewayId));
  const uuidOf = ({ messageId }: Receipt) =>
    messageId === null ? undefined : parseId("rcp", messageId);
  const remotes = receipts.flatMap((receipt) => remoteOf(receipt) ?? []);
  const byRemote = await findByRemote(tx, gateway.pk, remotes);
  const uuids = receipts.flatMap((receipt) => uuidOf(receipt) ?? []);
  const byId = await findByRecipient(tx, gateway.pk, uuids);
  const owner = { workspacePk: gateway.workspacePk, gatewayPk: gateway.pk };
  const phones = receipts.flatMap(({ phones: numbers }) => numbers.map(keys.hash));
  const unknown = phones.length > 0 ? await findUnknown(tx, owner, phones) : [];
  return receipts.flatMap((receipt) => {
    const isMeant = meantBy(receipt, keys);
    const remote = remoteOf(receipt);
    const known = byRemote.filter((row) => remote?.equals(row.remote_hash) && isMeant(row));
    const uuid = uuidOf(receipt);
    const named = byId.find(({ id }) => id === uuid);
    const found = named ?? onlyOne(known) ?? lostBy(receipt, unknown, isMeant);
    return found ? [{ receipt, found }] : [];
  });
}

/** If a gateway uses one id for several messages, the phone selects one. */
function meantBy({ phones }: Receipt, keys: PeopleKeys): (row: FoundSend) => boolean {
  if (phones.length === 0) return () => true;
  const hashes = new Set(phones.map((phone) => keys.hash(phone).toString("hex")));
  return ({ phone_hash: hash }) => hash !== null && hashes.has(hash.toString("hex"));
}

function lostBy(
  { phones }: Receipt,
  unknown: readonly FoundSend[],
  isMeant: (row: FoundSend) => boolean,
): FoundSend | undefined {
  return phones.length === 0 ? undefined : onlyOne(unknown.filter(isMeant));
}

function onlyOne(rows: readonly FoundSend[]): FoundSend | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

const settledStates = {
  delivered: "delivered",
  failed: "failed",
  optedOut: "failed",
  other: null,
} as const;

function settledOf(matches: readonly Match[]): Settled[] {
  const settled = new Map<string, Settled>();
  for (const { receipt, found } of matches) {
    const { campaign_pk: campaignPk, position } = found;
    const name = `${campaignPk} ${position}`;
    // If one call has two receipts of a message, delivered is final.
    const before = settled.get(name);
    if (before?.state === "delivered" || (before && receipt.state === "other")) continue;
    const isDelivered = receipt.state === "delivered";
    const code = receipt.state === "optedOut" ? optedOutCode : storableCode(receipt.reason);
    settled.set(name, {
      campaignPk,
      position,
      state: settledStates[receipt.state],
      code: isDelivered ? null : code,
    });
  }
  return [...settled.values()];
}

async function optOut(keys: PeopleKeys, rows: readonly FoundSend[]): Promise<void> {
  const phones = rows.flatMap(({ id, key_version: version, sealed }) =>
    sealed && version !== null ? [unsealPerson(keys, { version, sealed }, id).phone] : [],
  );
  if (phones.length === 0) return;
  counters.optOuts += await optOutBySystem(keys.workspacePk, phones, "gateway");
}

async function applyReplies(
  gateway: OpenedGateway,
  keys: PeopleKeys,
  replies: readonly Reply[],
): Promise<void> {
  const wishes = replies.filter(({ text }) => isOptOutReply(text));
  const numbersOf = ({ phones }: Reply) =>
    phones.flatMap((phone) => parsePhone(phone, "")?.number ?? []);
  const hashes = wishes.flatMap(numbersOf).map(keys.hash);
  const addressed = await findAddressed(gateway.pk, gateway.workspacePk, hashes);
  const phones = wishes.flatMap((reply) => {
    const numbers = numbersOf(reply);
    // A number may be read in two ways. Prefer the one that got a message.
    const known = numbers.filter((number) => addressed.has(keys.hash(number).toString("hex")));
    return known.length > 0 ? known : numbers.slice(0, 1);
  });
  if (phones.length === 0) return;
  counters.optOuts += await optOutBySystem(gateway.workspacePk, phones, "reply");
}

/** Adds receipts that a program passes on, also for campaigns that Fuxi does not send. */
export async function addReceipts(
  scope: WorkspaceScope,
  campaignId: string,
  { receipts: given }: UncheckedReceipts,
): Promise<AppliedReceipts> {
  assertMay(scope, "campaigns.write");
  const { rows: receipts, problem } = readRows(["receipts"], given, () => receiptRow);
  const { pk } = await getSendableRow(scope, campaignId);
  const keys = await openPeopleKeys(scope.workspacePk);
  const { matches, changed } = await transaction(async (tx) => {
    const ids = receipts.map(({ messageId }) => messageId);
    const rows = await findByMessage(tx, pk, ids);
    const found = receipts.flatMap(({ messageId, state, reason }): Match[] => {
      const row = rows.find((one) => one.message_id === messageId);
      const receipt = { gatewayId: null, messageId, phones: [], ...eventOf({ state, reason }) };
      return row ? [{ receipt, found: row }] : [];
    });
    await insertOwn(tx, scope.workspacePk, rows);
    return { matches: found, changed: await settle(tx, settledOf(found)) };
  });
  const gone = matches.filter(({ receipt }) => receipt.state === "optedOut");
  await optOut(
    keys,
    gone.map((found) => found.found),
  );
  counters.applied += changed;
  if (problem !== undefined) throw refuseRows(problem, receipts.length);
  const applied = { applied: changed, repeated: matches.length - changed };
  return { ...applied, unknown: receipts.length - matches.length };
}

const words: ReadonlySet<string> = new Set([
  "R",
  "T",
  "TD",
  "N",
  "STOP",
  "STOPALL",
  "UNSUBSCRIBE",
  "CANCEL",
  "END",
  "QUIT",
  "OPTOUT",
  "REVOKE",
  "退订",
  "退",
  "拒收",
  "拒收请回复R",
  "回复R",
  "取消",
  "不要再发",
  "取消订阅",
]);

export function isOptOutReply(text: string): boolean {
  // Full-width letters count as letters; marks, spaces and emoji around a word are ignored.
  const plain = text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return words.has(plain);
}
