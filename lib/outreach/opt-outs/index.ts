/**
 * Phones that get no messages of a workspace. Recipients are checked in the transaction that
 * creates their links. It holds the list: a phone that is added at the same time is either seen, or
 * waits for the commit.
 */
import { newId, parseId } from "#lib/basics/ids";
import { hidePhone, seesPeople, shownPhone } from "#lib/outreach/people";
import { mapInSlices } from "#lib/platform/batches";
import { recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { limits, tryLimit } from "#lib/platform/limits";
import { type Phone, parsePhone, phoneCell } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import {
  holdVersion,
  openPeopleKeys,
  type PeopleKeys,
  type SealedTable,
  withPeopleKeys,
} from "#lib/tenancy/people-keys";
import { addEvents, findListener } from "#lib/tenancy/webhook-events";
import {
  type AddedOptOuts,
  type CheckedOptOuts,
  type ExportOptOuts,
  type ListOptOuts,
  type OptOut,
  type OptOutSource,
  optOutPhonesUnseen,
  type Phones,
} from "./schema.ts";
import {
  deleteRow,
  eraseRow,
  findByHashes,
  findRow,
  insertRows,
  listRecipients,
  listRows,
  lockList,
  type NewOptOut,
  type OptOutRow,
} from "./store.ts";

export { holdList } from "./store.ts";

/** Answered by opt_out_list. */
export const sealedOptOuts: SealedTable = { table: "opt_out", column: "sealed" };

const fileRows = 1_000;

const eventMessagesMax = 20;

interface ParsedPhones {
  valid: { row: number; phone: Phone }[];
  invalid: number[];
}

async function parsePhones({ phones, country = "" }: Phones): Promise<ParsedPhones> {
  const parsed = await mapInSlices(phones, (text) => parsePhone(text, country));
  const rows: ParsedPhones = { valid: [], invalid: [] };
  for (const [row, phone] of parsed.entries()) {
    if (phone) rows.valid.push({ row, phone });
    else rows.invalid.push(row);
  }
  return rows;
}

/** From the commit on, no link is created for these phones. */
export async function addOptOuts(scope: WorkspaceScope, body: Phones): Promise<AddedOptOuts> {
  assertMay(scope, "campaigns.write");
  await takeUnseen(scope, body.phones.length);
  const { workspacePk, actor } = scope;
  const { valid, invalid } = await parsePhones(body);
  const numbers = [...new Set(valid.map(({ phone }) => phone.number))];
  const added = await addNumbers({ workspacePk, actor, source: "added" }, numbers);
  return { added, existing: numbers.length - added, invalid };
}

export async function optOutBySystem(
  workspacePk: number,
  numbers: readonly string[],
  source: Exclude<OptOutSource, "added">,
): Promise<number> {
  return await addNumbers({ workspacePk, actor: "system", source }, [...new Set(numbers)]);
}

interface Adding {
  workspacePk: number;
  actor: string;
  source: OptOutSource;
}

async function addNumbers(
  { workspacePk, actor, source }: Adding,
  numbers: readonly string[],
): Promise<number> {
  return await withPeopleKeys(workspacePk, (keys) => {
    const rows = numbers.map((number) => newRow(keys, number));
    return transaction(async (tx) => {
      await lockList(tx, workspacePk);
      await holdVersion(tx, keys);
      const origin = { workspacePk, version: keys.version, source };
      const inserted = await insertRows(tx, origin, rows);
      const details = { added: inserted.length };
      if (inserted.length > 0) {
        await recordAudit(tx, [{ workspacePk, actor, action: "opt-out.create", details }]);
        await recordEvents(tx, workspacePk, inserted);
      }
      return inserted.length;
    });
  });
}

/** Webhooks get no phone: programs recognize the person by the messages. */
async function recordEvents(
  tx: Connection,
  workspacePk: number,
  optOuts: readonly { id: string; hash: Buffer }[],
): Promise<void> {
  const type = "recipient.opted_out";
  if (!(await findListener(tx, workspacePk, type))) return;
  const hashes = optOuts.map(({ hash }) => hash);
  const messages = new Map<string, { campaignId: string; messageId: string }[]>();
  for (const row of await listRecipients(tx, workspacePk, hashes)) {
    const own = messages.get(row.hash.toString("hex")) ?? [];
    messages.set(row.hash.toString("hex"), own);
    own.push({ campaignId: row.campaign_id, messageId: row.message_id });
  }
  await addEvents(
    tx,
    optOuts.map(({ id, hash }) => {
      const own = messages.get(hash.toString("hex")) ?? [];
      return { workspacePk, type, data: { id, messages: own.slice(0, eventMessagesMax) } };
    }),
  );
}

function newRow(keys: PeopleKeys, number: string): NewOptOut {
  const id = newId("opt");
  return { id, hash: keys.hash(number), sealed: keys.seal(number, id) };
}

/** Finds the phones that are on the list. Needs people.view. */
export async function checkOptOuts(scope: WorkspaceScope, body: Phones): Promise<CheckedOptOuts> {
  // defence: checking-opt-outs-needs-people
  assertMay(scope, "people.view");
  const { valid, invalid } = await parsePhones(body);
  const keys = await openPeopleKeys(scope.workspacePk);
  const hashed = valid.map(({ row, phone }) => ({ row, hash: keys.hash(phone.number) }));
  const found = await findByHashes(
    scope.workspacePk,
    hashed.map(({ hash }) => hash),
  );
  const ids = new Map(found.map(({ id, hash }) => [hash.toString("hex"), id]));
  const optedOut = hashed.flatMap(({ row, hash }) => {
    const id = ids.get(hash.toString("hex"));
    return id === undefined ? [] : [{ row, id }];
  });
  return { optedOut, invalid };
}

export async function listOptOuts(scope: WorkspaceScope, page: ListOptOuts): Promise<OptOut[]> {
  assertMay(scope, "campaigns.read");
  return await readPage(scope, page);
}

async function readPage(
  scope: WorkspaceScope,
  { pageSize, startingAfter }: ListOptOuts,
): Promise<OptOut[]> {
  const [rows, keys] = await Promise.all([
    listRows(scope.workspacePk, startingAfter ?? null, pageSize),
    openPeopleKeys(scope.workspacePk),
  ]);
  return rows.map((row) => present(scope, keys, row));
}

function present(scope: WorkspaceScope, keys: PeopleKeys, row: OptOutRow): OptOut {
  const { id, sealed, key_version: version, source } = row;
  const phone =
    sealed && version !== null ? shownPhone(scope, keys.unseal({ version, sealed }, id)) : null;
  return { id, phone, source, createdAt: row.created_at.toISOString() };
}

export async function findOptOut(
  scope: WorkspaceScope,
  phone: string,
  country: string,
): Promise<OptOut | undefined> {
  // defence: finding-opt-out-needs-people
  assertMay(scope, "people.view");
  const parsed = parsePhone(phone, country);
  if (!parsed) return undefined;
  const keys = await openPeopleKeys(scope.workspacePk);
  const row = await findRow(scope.workspacePk, keys.hash(parsed.number));
  return row && present(scope, keys, row);
}

export async function exportOptOuts(
  scope: WorkspaceScope,
  { format }: ExportOptOuts,
): Promise<SentFile> {
  assertMay(scope, "people.view");
  const { workspacePk, actor } = scope;
  // Do this before the file starts: after that, no error can be sent.
  await transaction((tx) => recordAudit(tx, [{ workspacePk, actor, action: "opt-out.export" }]));
  return withExportSlot(
    recordsFile({
      name: "fuxi-opt-outs",
      format,
      columns: ["phone", "source", "createdAt"],
      cellsOf: ({ phone, source, createdAt }) => [phoneCell(phone), source, createdAt],
      pages: () => knownPages(scope),
    }),
  );
}

/** Leaves out people who were erased: their phone is unknown. */
async function* knownPages(scope: WorkspaceScope) {
  for await (const page of rawPages(scope)) {
    yield page.flatMap(({ phone, source, createdAt }) =>
      phone === null ? [] : [{ phone, source, createdAt }],
    );
  }
}

async function* rawPages(scope: WorkspaceScope): AsyncGenerator<OptOut[]> {
  let startingAfter: string | undefined;
  do {
    const page = await readPage(scope, { pageSize: fileRows, startingAfter });
    yield page;
    startingAfter = page.length === fileRows ? page.at(-1)?.id : undefined;
  } while (startingAfter !== undefined);
}

/** The whole list for a file that may be stored, so phones are masked. */
export async function* pagesOfOptOuts(scope: WorkspaceScope): AsyncGenerator<OptOut[]> {
  assertMay(scope, "campaigns.read");
  for await (const page of rawPages(scope)) {
    yield page.map((one) => ({ ...one, phone: one.phone && hidePhone(one.phone) }));
  }
}

/** Only owners and admins take phones off the list. Throws not_found. */
export async function deleteOptOut(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "campaigns.write");
  // defence: deleting-opt-out-needs-people
  assertMay(scope, "people.view");
  const { workspacePk, actor } = scope;
  const deleted =
    parseId("opt", id) !== undefined &&
    (await transaction(async (tx) => {
      if (!(await deleteRow(tx, workspacePk, id))) return false;
      await recordAudit(tx, [{ workspacePk, actor, action: "opt-out.delete", subject: id }]);
      return true;
    }));
  if (deleted) return { id };
  throw new AppError("not_found", `Opt-out "${id}" not found in this workspace.`);
}

export async function findOptedOut(
  workspacePk: number,
  hashes: readonly Buffer[],
  tx?: Connection,
): Promise<Set<string>> {
  const found = await findByHashes(workspacePk, hashes, tx);
  return new Set(found.map(({ hash }) => hash.toString("hex")));
}

export async function eraseOptOut(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
): Promise<void> {
  await eraseRow(tx, workspacePk, hash);
}

/** Members who only see masks could find numbers by adding many and counting new ones. */
async function takeUnseen(scope: WorkspaceScope, phones: number): Promise<void> {
  if (seesPeople(scope)) return;
  const { max } = limits.unseenOptOutsPerActor;
  const params = { max: optOutPhonesUnseen, calls: max };
  const rest = `Without the permission people.view, add up to ${optOutPhonesUnseen} phones per call and ${max} times a day.`;
  // defence: unseen-opt-outs-per-call
  if (phones > optOutPhonesUnseen) {
    throw new AppError("unprocessable_entity", `phones: ${rest}`, {
      problem: "opt_outs_unseen",
      params,
    });
  }
  const attempt = await tryLimit("unseenOptOutsPerActor", `${scope.workspacePk} ${scope.actor}`);
  // defence: unseen-opt-outs-per-day
  if (attempt.ok) return;
  const { retryAfterSeconds } = attempt;
  throw new AppError("rate_limit_exceeded", rest, {
    retryAfterSeconds,
    problem: "opt_outs_unseen_day",
    params,
  });
}
