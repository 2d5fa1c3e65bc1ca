/** A link with a form: from the page to the contact, its clicks, and the lead. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import { eraseDue } from "#lib/analytics/rollups";
import { eraseContact, getContact, listContacts } from "#lib/audience/contacts";
import { listContactsQuery } from "#lib/audience/contacts/schema";
import { changeForm, createForm, deleteForm, formsMax } from "#lib/audience/forms";
import {
  consentCharsMax,
  fieldsMax,
  newForm,
  optionsMax,
  rememberDaysMax,
  titleCharsMax,
} from "#lib/audience/forms/schema";
import { deleteLink, editLink } from "#lib/links/editing";
import { campaignJobs } from "#lib/outreach/campaigns";
import { erasePerson } from "#lib/outreach/erasing";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { openPeopleKeys, rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countContactLeads } from "./index.ts";

openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const { ask, make, scope } = openTestVisits("forms");

beforeAll(() => openIngest());

const url = "https://shop.example/start?a=1";
const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const consent = "We call you about the offer.";
const content = {
  title: "Get the offer",
  consent,
  controller: "Acme Ltd, 1 Main Street, London",
  privacyUrl: "https://acme.example/privacy",
  fields: [
    { type: "phone" },
    { type: "email", required: false },
    { type: "name", required: false },
    { type: "choice", label: "Size", options: ["Small", "Large"], required: false },
  ],
};

let made = 0;
function formBody(more: object = {}) {
  made += 1;
  return newForm.parse({ name: `Form ${made}`, published: true, ...content, ...more });
}

const makeForm = (more: object = {}) => createForm(scope(), formBody(more));

async function asking(more: object = {}, fields: object = {}) {
  const form = await makeForm(more);
  const link = await make({ url, formId: form.id, ...fields });
  return { form, link };
}

const headers = { "user-agent": browser, "accept-language": "en-GB,en" };

function post(key: string, entered: Record<string, string>, more: Record<string, string> = {}) {
  const form = new URLSearchParams({ version: "1", ...entered }).toString();
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return ask(`/${key}`, { method: "POST", headers: { ...headers, ...type, ...more }, form });
}

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(([answer.headers["set-cookie"]].flat()[0] as string | undefined)?.split(";")[0]);

/** Answers the form, follows to the destination, and counts the click. */
async function answer(key: string, entered: Record<string, string>) {
  const given = await post(key, { consent: "1", ...entered });
  expect(given.status).toBe(303);
  const onward = await ask(String(given.headers.location), { headers });
  expect([onward.status, onward.headers.location]).toEqual([302, url]);
  await ingestAll();
  return cookieOf(given);
}

const contacts = (asked: object = {}) => listContacts(scope(), listContactsQuery.parse(asked));

async function leadsOf(linkId: string) {
  const { answer: counted } = await askAnalytics(
    scope(),
    analyticsQuery.parse({ event: "composite", linkId }),
  );
  return counted;
}

test("the page asks without revealing the destination, is no click, and ticks nothing in advance", async () => {
  const { link } = await asking({ marketing: "Send me offers" });
  const page = await ask(`/${link.key}`, { headers });
  expect(page.status).toBe(200);
  expect(page.headers["cache-control"]).toBe("no-store");
  expect(page.body).toContain("Get the offer");
  expect(page.body).toContain('value="+44 "');
  expect(page.body).not.toContain("shop.example");
  expect(page.body).not.toContain(" checked");
  expect(page.body).not.toContain("<script");
  expect(Buffer.byteLength(page.body)).toBeLessThan(10_000);
  await ingestAll();
  expect(await leadsOf(link.id)).toMatchObject({ clicks: 0, leads: 0 });
});

test("an answer becomes a contact, the visitor goes on, and the click that follows is a lead", async () => {
  const { link, form } = await asking({ marketing: "Send me offers" });
  const entered = {
    f0: "020 7946 0018",
    f1: "Ada@Example.com",
    f2: "  Ada   L. ",
    f3: "Large",
    marketing: "1",
  };
  const cookie = await answer(link.key, entered);
  await countContactLeads();
  expect(await leadsOf(link.id)).toMatchObject({ clicks: 1, leads: 1 });
  const [contact] = await contacts({ formId: form.id });
  expect(contact).toMatchObject({
    phone: "+442079460018",
    email: "Ada@Example.com",
    name: "Ada L.",
    country: "GB",
    marketing: true,
    answers: 1,
  });
  const details = await getContact(scope(), String(contact?.id));
  expect(details.history).toMatchObject([
    {
      formId: form.id,
      version: 1,
      consent,
      language: "en",
      given: [{ label: "Size", text: "Large" }],
      linkId: link.id,
    },
  ]);
  // Who has answered goes straight on, and is known.
  const again = await ask(`/${link.key}`, { headers: { ...headers, cookie } });
  expect([again.status, again.headers.location]).toEqual([302, url]);
  await ingestAll();
  await countContactLeads();
  const { visits } = await getContact(scope(), String(contact?.id));
  expect(visits.map(({ linkId }) => linkId)).toEqual([link.id, link.id]);
  expect(await leadsOf(link.id)).toMatchObject({ clicks: 2, leads: 1 });
});

test("a person is one contact in all forms, found by the phone or the email address", async () => {
  const first = await asking();
  const second = await asking({ marketing: "Send me offers" });
  const phone = "+442079460100";
  await answer(first.link.key, { f0: phone, f2: "Bob" });
  await answer(second.link.key, { f0: "020 7946 0100", f1: "bob@example.com", marketing: "1" });
  await countContactLeads();
  const found = await contacts({ person: phone });
  expect(found).toMatchObject([
    { name: "Bob", email: "bob@example.com", answers: 2, marketing: true },
  ]);
  expect(await contacts({ linkId: second.link.id, marketing: "true" })).toEqual(found);
  expect(await contacts({ linkId: second.link.id, marketing: "false" })).toEqual([]);
  expect((await leadsOf(second.link.id)) as object).toMatchObject({ leads: 1 });
  await expect(contacts({ person: "bob" })).rejects.toThrow("full phone number");
});

test("twenty answers at once of one person are one contact, and one lead", async () => {
  const { link, form } = await asking();
  const given = await Promise.all(
    Array.from({ length: 20 }, () => post(link.key, { f0: "+442079460200", consent: "1" })),
  );
  expect(new Set(given.map(({ status }) => status))).toEqual(new Set([303]));
  await ask(String(given[0]?.headers.location), { headers });
  await ask(String(given[1]?.headers.location), { headers });
  await ingestAll();
  await Promise.all([countContactLeads(), countContactLeads(), countContactLeads()]);
  expect(await contacts({ formId: form.id })).toMatchObject([{ answers: 20 }]);
  expect(await leadsOf(link.id)).toMatchObject({ clicks: 2, leads: 1 });
});

test.each([
  ["no phone", { f0: "" }, "Fill in this field."],
  ["a wrong phone", { f0: "123" }, "Enter a phone number"],
  ["a wrong email address", { f1: "ada@example" }, "Enter an email address"],
  ["a long name", { f2: "x".repeat(101) }, "Use at most 100 characters."],
  ["an unknown choice", { f3: "Huge" }, "Choose one."],
  ["no consent", { consent: "" }, "Check this box to continue."],
])("%s is shown with what was entered, and stores nothing", async (_what, wrong, message) => {
  const { link, form } = await asking();
  const right = { f0: "+442079460018", f1: "", f2: "Ada", consent: "1" };
  const refused = await post(link.key, { ...right, ...wrong });
  expect(refused.status).toBe(422);
  expect(refused.body).toContain(message);
  expect(refused.body).toContain('aria-invalid="true"');
  expect(refused.headers["set-cookie"]).toBeUndefined();
  if (!("f2" in wrong)) expect(refused.body).toContain('value="Ada"');
  expect(await contacts({ formId: form.id })).toEqual([]);
});

test("hostile texts of a form and of a visitor are text", async () => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const fields = [
    { type: "name" },
    { type: "choice", label: attack, options: [attack, "b"] },
    { type: "check", label: attack },
  ];
  const { link } = await asking({
    fields,
    ...{ title: attack.slice(0, titleCharsMax), text: attack, button: `"><b>`, consent: attack },
    ...{ marketing: attack, controller: attack },
  });
  for (const answered of [
    await ask(`/${link.key}`, { headers }),
    await post(link.key, { f0: attack, f1: attack, consent: "1" }),
    await ask(`/${link.key}?fuxi_withdraw=1`, { headers }),
  ]) {
    expect(answered.body).not.toMatch(/<script|<img|<b>/);
    expect(answered.headers["content-security-policy"]).toContain("default-src 'none'");
  }
});

test("who skips goes on without a contact, only where the form allows it", async () => {
  const may = await asking({ skip: true });
  const skipped = await post(may.link.key, { skip: "1" });
  expect(skipped.status).toBe(303);
  const onward = await ask(String(skipped.headers.location), { headers });
  expect(onward.status).toBe(302);
  const mayNot = await asking();
  expect((await post(mayNot.link.key, { skip: "1" })).status).toBe(422);
  expect(await contacts({ formId: may.form.id })).toEqual([]);
});

test("programs that fill in the hidden field store nothing", async () => {
  const { link, form } = await asking();
  const given = await post(link.key, { f0: "+442079460018", consent: "1", website: "spam" });
  expect(given.status).toBe(303);
  expect(await contacts({ formId: form.id })).toEqual([]);
});

test("a page of another site can’t answer for its visitors", async () => {
  const { link, form } = await asking();
  const entered = { f0: "+442079460018", consent: "1" };
  const given = await post(link.key, entered, { "sec-fetch-site": "cross-site" });
  expect(given.status).toBe(403);
  expect(await contacts({ formId: form.id })).toEqual([]);
});

test("a grant is worth nothing for another link or form, from another address, or when it was changed", async () => {
  const one = await asking();
  const other = await make({ url, formId: one.form.id });
  const given = await post(one.link.key, { f0: "+442079460018", consent: "1" });
  const cookie = cookieOf(given);
  const pass = String(given.headers.location).split("?")[1];
  expect((await ask(`/${other.key}?${pass}`, { headers })).status).toBe(200);
  expect((await ask(`/${other.key}`, { headers: { ...headers, cookie } })).status).toBe(200);
  const forged = cookie.replace(/.(?=.{5}$)/, (one) => (one === "A" ? "B" : "A"));
  expect((await ask(`/${one.link.key}`, { headers: { ...headers, cookie: forged } })).status).toBe(
    200,
  );
  const elsewhere = { ...headers, "x-forwarded-for": "198.51.100.7" };
  expect((await ask(`/${one.link.key}?${pass}`, { headers: elsewhere })).status).toBe(200);
  expect((await ask(`/${one.link.key}?${pass}`, { headers })).status).toBe(302);
});

test("a change of the form is a new version: a page that is open asks again, and answers keep theirs", async () => {
  const { link, form } = await asking();
  await answer(link.key, { f0: "+442079460300" });
  const changed = await changeForm(scope(), form.id, { consent: "We write to you." });
  expect(changed.version).toBe(2);
  expect((await changeForm(scope(), form.id, { name: `${form.name} b` })).version).toBe(2);
  const entered = { f0: "+442079460301", consent: "1" };
  await expect
    .poll(async () => (await post(link.key, entered)).status, { timeout: 5_000 })
    .toBe(409);
  expect((await post(link.key, { ...entered, version: "2" })).status).toBe(303);
  const found = await contacts({ formId: form.id });
  const said = await Promise.all(found.map(({ id }) => getContact(scope(), id)));
  expect(said.map(({ history }) => history[0]?.consent)).toEqual(["We write to you.", consent]);
});

test("an unpublished form asks nobody", async () => {
  const { link, form } = await asking();
  await changeForm(scope(), form.id, { published: false });
  await expect
    .poll(async () => (await ask(`/${link.key}`, { headers })).status, { timeout: 5_000 })
    .toBe(302);
});

test("a form that only asks for a confirmation stores nothing", async () => {
  const fields = [{ type: "check", label: "I am at least 18 years old" }];
  const { link, form } = await asking({ fields, consent: "", controller: "", privacyUrl: "" });
  expect((await post(link.key, {})).status).toBe(422);
  const given = await post(link.key, { f0: "1" });
  expect(given.status).toBe(303);
  expect((await ask(String(given.headers.location), { headers })).status).toBe(302);
  expect(await contacts({ formId: form.id })).toEqual([]);
});

test("a link with a password asks for it first, and a limit counts those who go on", async () => {
  const { link } = await asking({}, { password: "open sesame", maxClicks: 1 });
  const entered = { f0: "+442079460018", consent: "1" };
  expect((await post(link.key, entered)).status).toBe(403);
  const right = await post(link.key, { password: "open sesame" });
  const cookie = cookieOf(right);
  const shown = await ask(`/${link.key}`, { headers: { ...headers, cookie } });
  expect(shown.body).toContain("Get the offer");
  const given = await post(link.key, entered, { cookie });
  expect(given.status).toBe(303);
  const to = String(given.headers.location);
  expect((await ask(to, { headers: { ...headers, cookie } })).status).toBe(302);
  expect((await ask(to, { headers: { ...headers, cookie } })).status).toBe(410);
});

test("who continued inside an app isn’t shown that page again after the form", async () => {
  const { link } = await asking({}, { insideApps: { open: "browser" } });
  const wechat = {
    ...headers,
    "user-agent":
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003237) NetType/WIFI Language/en",
  };
  const page = await ask(`/${link.key}`, { headers: wechat });
  const onward = /href="([^"]*fuxi_continue=[^"]*)"/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
  const path = String(onward).replace(/^https?:\/\/[^/]+/, "");
  expect((await ask(path, { headers: wechat })).body).toContain("Get the offer");
  const given = await post(path.slice(1), { f0: "+442079460950", consent: "1" }, wechat);
  expect(given.status).toBe(303);
  const arrived = await ask(String(given.headers.location), { headers: wechat });
  expect([arrived.status, arrived.headers.location]).toEqual([302, url]);
});

test("a contact has their answers deleted, and is asked again", async () => {
  const { link, form } = await asking();
  const cookie = await answer(link.key, { f0: "+442079460400" });
  const path = `/${link.key}?fuxi_withdraw=1`;
  expect((await ask(path, { headers })).body).toContain("No answers from this browser");
  const own = { ...headers, cookie };
  expect((await ask(path, { headers: own })).body).toContain("Delete my answers");
  expect(await contacts({ formId: form.id })).toHaveLength(1);
  const gone = await ask(path, { method: "POST", headers: own, form: "" });
  expect(gone.body).toContain("Your answers were deleted");
  expect(await contacts({ formId: form.id })).toEqual([]);
});

test("an erased person leaves no phone, name or email address in any table or file", async () => {
  const { link } = await asking();
  const needles = ["+442079460500", "Zenobia", "zenobia@example.com"];
  const [phone = "", name = "", email = ""] = needles;
  await answer(link.key, { f0: phone, f1: email, f2: name });
  const [contact] = await contacts({ person: phone });
  await eraseContact(scope(), String(contact?.id));
  expect(await contacts({ person: phone })).toEqual([]);
  const tables = await query<{ name: string }>(sql`
    SELECT format('%I.%I', schemaname, tablename) AS name
    FROM pg_tables
    WHERE schemaname IN ('public', 'analytics')`);
  for (const table of tables) {
    const rows = await query<{ row: string }>({
      text: `SELECT t::text AS row FROM ${table.name} AS t WHERE t::text ~* $1`,
      values: ["442079460500|zenobia"],
    });
    expect(rows, table.name).toEqual([]);
  }
  for (const file of filesIn(config().FUXI_DATA_DIR)) {
    const text = readFileSync(file, "latin1");
    for (const needle of needles) expect(text.includes(needle), file).toBe(false);
  }
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("erasing a phone of campaigns erases the contact too", async () => {
  const { link } = await asking();
  const phone = "+442079460600";
  await answer(link.key, { f0: phone });
  await erasePerson(scope(), { phone });
  expect(await contacts({ person: phone })).toEqual([]);
});

test("a new key of people’s data encrypts contacts and answers again", async () => {
  const { link } = await asking();
  const phone = "+442079460700";
  await answer(link.key, { f0: phone, f3: "Small" });
  const version = await rotatePeopleKeys(scope());
  await campaignJobs[0]?.handle({});
  const rows = await query<{ key_version: number }>(sql`
    SELECT key_version FROM contact WHERE workspace_pk = ${scope().workspacePk}
    UNION
    SELECT key_version FROM contact_answer WHERE workspace_pk = ${scope().workspacePk}`);
  expect(rows).toEqual([{ key_version: version }]);
  const [contact] = await contacts({ person: phone });
  const { history } = await getContact(scope(), String(contact?.id));
  expect(history[0]?.given).toEqual([{ label: "Size", text: "Small" }]);
  expect((await openPeopleKeys(scope().workspacePk)).version).toBe(version);
});

test("what a deleted link counted goes, and its contacts stay", async () => {
  const { link, form } = await asking();
  await answer(link.key, { f0: "+442079460800" });
  await countContactLeads();
  await deleteLink(scope(), link.id);
  expect(await contacts({ formId: form.id })).toHaveLength(1);
  await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 second'`);
  await eraseDue();
  const [contact] = await contacts({ formId: form.id });
  const details = await getContact(scope(), String(contact?.id));
  expect([details.visits, details.history[0]?.linkId]).toEqual([[], null]);
});

test("contacts of another workspace, or without the permission, are not there", async () => {
  const { link, form } = await asking();
  await answer(link.key, { f0: "+442079460900" });
  const [contact] = await contacts({ formId: form.id });
  const id = String(contact?.id);
  const stranger = await makeTestScope("stranger");
  expect(await listContacts(stranger, listContactsQuery.parse({ formId: form.id }))).toEqual([]);
  await expect(getContact(stranger, id)).rejects.toThrow("not found");
  await expect(eraseContact(stranger, id)).rejects.toThrow("not found");
  const member = await joinTestScope(scope(), "member", "member");
  await expect(getContact(member, id)).rejects.toThrow("people.view");
  await expect(listContacts(member, listContactsQuery.parse({}))).rejects.toThrow("people.view");
});

test("a form of another workspace can’t be shown, changed or deleted", async () => {
  const stranger = await makeTestScope("other");
  const form = await createForm(stranger, formBody());
  await expect(make({ url, formId: form.id })).rejects.toThrow("has no form");
  await expect(changeForm(scope(), form.id, { title: "x" })).rejects.toThrow("not found");
  await expect(deleteForm(scope(), form.id)).rejects.toThrow("not found");
});

test("a form that links show is not deleted; without links it is, and its name is free", async () => {
  const { link, form } = await asking();
  await expect(deleteForm(scope(), form.id)).rejects.toThrow("Links use this form");
  await editLink(scope(), link.id, { formId: null });
  expect((await ask(`/${link.key}`, { headers })).status).toBe(302);
  await deleteForm(scope(), form.id);
  await expect(make({ url, formId: form.id })).rejects.toThrow("has no form");
  await createForm(scope(), { ...formBody(), name: form.name });
  await expect(createForm(scope(), { ...formBody(), name: form.name })).rejects.toThrow("exists");
});

test.each([
  ["consent", { consent: "" }],
  ["controller", { controller: "" }],
  ["privacyUrl", { privacyUrl: "" }],
])("without %s a form that stores answers is not published", async (field, missing) => {
  await expect(makeForm(missing)).rejects.toThrow(`${field}: `);
  const draft = await makeForm({ ...missing, published: false });
  await expect(changeForm(scope(), draft.id, { published: true })).rejects.toThrow(`${field}: `);
});

test("limits of a form hold at their maximum, and not beyond", () => {
  const check = { type: "check", label: "x" };
  const choice = (count: number) => ({
    type: "choice",
    label: "x",
    options: Array.from({ length: count }, (_, at) => `o${at}`),
  });
  const bounds: [number, (count: number) => object][] = [
    [titleCharsMax, (count) => ({ title: "x".repeat(count) })],
    [consentCharsMax, (count) => ({ consent: "x".repeat(count) })],
    [fieldsMax, (count) => ({ fields: Array.from({ length: count }, () => check) })],
    [optionsMax, (count) => ({ fields: [choice(count)] })],
    [rememberDaysMax, (count) => ({ rememberDays: count })],
  ];
  for (const [max, build] of bounds) {
    expect(newForm.safeParse({ name: "x", ...content, ...build(max) }).success).toBe(true);
    expect(newForm.safeParse({ name: "x", ...content, ...build(max + 1) }).success).toBe(false);
  }
  const twice = { fields: [{ type: "phone" }, { type: "phone" }] };
  expect(newForm.safeParse({ name: "x", ...content, ...twice }).success).toBe(false);
});

test("a workspace has as many forms as its limit says, also of concurrent calls", async () => {
  const full = await makeTestScope("full");
  const atOnce = 10;
  for (let count = 0; count < formsMax + 1 - atOnce; count++) await createForm(full, formBody());
  const outcomes = await Promise.allSettled(
    Array.from({ length: atOnce }, () => createForm(full, formBody())),
  );
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
});
