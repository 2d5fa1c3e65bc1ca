import { parseId, presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import { visibleLinks } from "#lib/links/visible-links";
import { type Cell, recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { parsePhone, phoneCell } from "#lib/platform/phones";
import { transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import {
  emailIdentity,
  openidIdentity,
  unionIdentity,
  unsealFacts,
  unsealGiven,
  unsealUser,
} from "./facts.ts";
import { type AnswerRow, listAnswers, listVisits } from "./history-store.ts";
import { findContacts, type ContactFilter as StoredFilter } from "./listing-store.ts";
import type {
  Contact,
  ContactAnswer,
  ContactDetails,
  ContactFilter,
  ContactWechat,
  ExportContacts,
  ListContacts,
} from "./schema.ts";
import { type ContactRow, findFacts } from "./store.ts";
import { listUsers } from "./wechat-store.ts";

const answersMax = 100;
const visitsMax = 1_000;

function present(
  keys: PeopleKeys,
  row: ContactRow,
  users: ReadonlyMap<number, ContactWechat[]>,
): Contact {
  return {
    id: presentId("con", row.id),
    ...unsealFacts(keys, row),
    country: row.country,
    phoneConfirmed: row.phone_confirmed,
    marketing: row.marketing,
    wechat: users.get(row.pk) ?? [],
    answers: row.answers,
    createdAt: row.created_at.toISOString(),
    answeredAt: row.answered_at.toISOString(),
  };
}

/** The WeChat details that contacts shared, newest first, by pk. */
async function usersOf(keys: PeopleKeys, rows: readonly { pk: number }[]) {
  const found = rows.length > 0 ? await listUsers(rows.map(({ pk }) => pk)) : [];
  const users = new Map<number, ContactWechat[]>();
  for (const row of found) {
    const shown = { ...unsealUser(keys, row), at: row.at.toISOString() };
    users.set(row.contact_pk, [...(users.get(row.contact_pk) ?? []), shown]);
  }
  return users;
}

export async function listContacts(scope: WorkspaceScope, asked: ListContacts): Promise<Contact[]> {
  // defence: contacts-need-people
  assertMay(scope, "people.view");
  const { startingAfter, pageSize, ...asks } = asked;
  const keys = await openPeopleKeys(scope.workspacePk);
  const filter = storedFilter(keys, asks);
  if (!filter) return [];
  const afterPk = startingAfter ? (await getContactRow(scope, startingAfter)).pk : undefined;
  const seen = await visibleLinks(scope);
  const rows = await findContacts({ ...filter, afterPk, limit: pageSize }, seen);
  const users = await usersOf(keys, rows);
  return rows.map((row) => present(keys, row, users));
}

/** Undefined: no link has this id. */
function storedFilter(
  keys: PeopleKeys,
  { formId, linkId, person, marketing, start, end }: ContactFilter,
): Omit<StoredFilter, "limit"> | undefined {
  const linkUuid = linkId === undefined ? undefined : parseId("link", linkId);
  if (linkId !== undefined && linkUuid === undefined) return undefined;
  return {
    workspacePk: keys.workspacePk,
    ...(person === undefined ? {} : personFilter(keys, person)),
    ...{ formId, linkUuid, marketing },
    start: start === undefined ? undefined : new Date(start),
    end: end === undefined ? undefined : new Date(end),
  };
}

const fileColumns = [
  "id",
  "phone",
  "email",
  "name",
  "country",
  "marketing",
  "answers",
  "createdAt",
  "answeredAt",
  "phoneConfirmed",
] as const;
/** The WeChat account that was shared last. */
const wechatColumns = {
  wechatNickname: "nickname",
  wechatOpenid: "openid",
  wechatUnionid: "unionid",
  wechatPicture: "picture",
  wechatAppId: "appId",
} as const;
const fileRows = 1_000;

/** The matching contacts as a file. Recorded in the audit log. */
export async function exportContacts(
  scope: WorkspaceScope,
  { format, ...asked }: ExportContacts,
): Promise<SentFile> {
  // defence: contact-export-needs-people
  assertMay(scope, "people.view");
  const { workspacePk, actor } = scope;
  const filter = storedFilter(await openPeopleKeys(workspacePk), asked);
  // Do this before the file starts: after that, no error can be sent.
  await transaction((tx) => recordAudit(tx, [{ workspacePk, actor, action: "contact.export" }]));
  return withExportSlot(
    recordsFile<Contact>({
      name: "fuxi-contacts",
      format,
      columns: [...fileColumns, ...Object.keys(wechatColumns)],
      cellsOf: (contact) => [
        ...fileColumns.map((name) => cellOf(contact, name)),
        ...Object.values(wechatColumns).map((name) => contact.wechat[0]?.[name] ?? ""),
      ],
      pages: () => contactPages(scope, filter),
    }),
  );
}

function cellOf(contact: Contact, name: (typeof fileColumns)[number]): Cell {
  // Only digits, because spreadsheets would read + as the start of a formula.
  if (name === "phone") return phoneCell(contact.phone ?? "");
  const value = contact[name];
  return typeof value === "boolean" ? String(value) : (value ?? "");
}

async function* contactPages(
  scope: WorkspaceScope,
  filter: Omit<StoredFilter, "limit"> | undefined,
): AsyncGenerator<Contact[]> {
  let afterPk: number | undefined;
  let found = filter ? fileRows : 0;
  while (filter && found === fileRows) {
    const seen = await visibleLinks(scope);
    const rows = await findContacts({ ...filter, afterPk, limit: fileRows }, seen);
    found = rows.length;
    afterPk = rows.at(-1)?.pk;
    // Open the keys again for each page, because they may have been rotated since the last one.
    const keys = await openPeopleKeys(scope.workspacePk);
    const users = await usersOf(keys, rows);
    yield rows.map((row) => present(keys, row, users));
  }
}

/** WeChat’s ids have 28 characters today. Other lengths are accepted, because they may change. */
const wechatId = /^o[\w-]{20,62}$/;

function personFilter(keys: PeopleKeys, text: string): Pick<StoredFilter, "hash" | "wechat"> {
  if (text.includes("@")) return { hash: keys.hash(emailIdentity(text)) };
  if (wechatId.test(text)) {
    const openid = keys.hash(openidIdentity(text));
    return { wechat: { openid, union: keys.hash(unionIdentity(text)) } };
  }
  const phone = parsePhone(text, "");
  if (phone) return { hash: keys.hash(phone.number) };
  const message =
    "person: Use a full phone number with its country code, such as +8613800138000, a full email address, or an openid or unionid of WeChat.";
  throw new AppError("unprocessable_entity", message, { problem: "contact_search" });
}

/** Also throws a 404 for a contact who only answered on links that the actor may not see. */
export async function getContactRow(scope: WorkspaceScope, id: string): Promise<ContactRow> {
  const { workspacePk } = scope;
  const uuid = parseId("con", id);
  const filter = { workspacePk, id: uuid, limit: 1 };
  const [row] = uuid === undefined ? [] : await findContacts(filter, await visibleLinks(scope));
  if (row) return row;
  throw new AppError("not_found", "Contact not found.");
}

export async function getContact(scope: WorkspaceScope, id: string): Promise<ContactDetails> {
  assertMay(scope, "people.view");
  const row = await getContactRow(scope, id);
  const seen = await visibleLinks(scope);
  const keys = await openPeopleKeys(scope.workspacePk);
  const answers = await listAnswers(row.pk, seen, answersMax);
  const visits = await listVisits(
    { workspacePk: scope.workspacePk, contactPk: row.pk },
    seen,
    visitsMax,
  );
  return {
    ...present(keys, row, await usersOf(keys, [row])),
    history: answers.map((answer) => presentAnswer(keys, answer)),
    visits: visits.map(({ at, link_id: linkId, slug, key }) => ({
      at: at.toISOString(),
      shortLink: shortUrl(slug, key),
      linkId: presentId("link", linkId),
    })),
  };
}

function presentAnswer(keys: PeopleKeys, row: AnswerRow): ContactAnswer {
  const { link_id: linkId, slug, key } = row;
  return {
    formId: row.form_id,
    form: row.form_name,
    version: row.form_version,
    consent: row.consent,
    marketing: row.marketing,
    given: unsealGiven(keys, row),
    language: row.language,
    at: row.at.toISOString(),
    shortLink: slug !== null && key !== null ? shortUrl(slug, key) : null,
    linkId: linkId === null ? null : presentId("link", linkId),
  };
}

/** What is known of contacts, by id, for requests to webhooks. Omits erased contacts. */
export async function contactFacts(
  workspacePk: number,
  ids: readonly string[],
): Promise<Map<string, Pick<Contact, "phone" | "email" | "name" | "wechat">>> {
  const uuids = ids.flatMap((id) => parseId("con", id) ?? []);
  const rows = await findFacts(workspacePk, uuids);
  if (rows.length === 0) return new Map();
  const keys = await openPeopleKeys(workspacePk);
  const users = await usersOf(keys, rows);
  return new Map(
    rows.map((row) => [
      presentId("con", row.asked),
      { ...unsealFacts(keys, row), wechat: users.get(row.pk) ?? [] },
    ]),
  );
}
