/** Codes by SMS that somebody asks for to earn from the messages: countries, budgets, alarms and the stop switch. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeForm, createForm, getForm } from "#lib/audience/forms";
import { newForm } from "#lib/audience/forms/schema";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import {
  phoneCodeJobs,
  riseCodesMin,
  riseFactor,
  sendPhoneCodes,
  tellRises,
} from "#lib/outreach/phone-code-sending";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { listAudit } from "#lib/tenancy/audit";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { codesPerDayMax, editWorkspaceBody } from "#lib/tenancy/workspaces/schema";
import { openFormVisitors } from "./form-visitors.ts";
import { type SmsGateway, settingsOf, startSmsGateway } from "./gateways.ts";
import { openTestVisits } from "./redirect-server.ts";
import { joinTestScope, makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";

let server: SmsGateway;
beforeAll(async () => {
  server = await startSmsGateway();
});
openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1", FUXI_FETCH: "loopback" });
const visits = openTestVisits("sms-pumping");
const { ask, scope } = visits;
const { asking, post } = openFormVisitors(visits);
afterAll(() => server.close());

let gatewayId: string;
beforeAll(async () => {
  const body = { name: "http", settings: settingsOf(server, "http"), secret: server.secret };
  gatewayId = (await createGateway(scope(), createGatewayBody.parse({ ...body, rate: 500 }))).id;
});

beforeEach(async () => {
  server.sent.length = 0;
  await query(sql`DELETE FROM phone_code`);
  await query(sql`DELETE FROM phone_code_hour`);
  await query(sql`DELETE FROM notice`);
  await updateWorkspace(scope(), { codeCountries: [], codesPerDay: 500, codesStopped: false });
  const keys = await redis().keys("*limit*");
  if (keys.length > 0) await redis().del(...keys);
});

let numbers = 0;
const british = () => `+4474001${String(30_000 + ++numbers)}`;
const chinese = () => `+861380013${String(1_000 + ++numbers)}`;
const confirming = (more: object = {}) => asking({ confirmPhone: true, gatewayId, ...more });
const english = { "accept-language": "en" };
const again = () => query(sql`UPDATE phone_code SET asked_at = asked_at - interval '61 seconds'`);

test("a form sends codes to its own countries only, and the visitor is told so beside the phone", async () => {
  const { link } = await confirming({ codeCountries: ["GB"] });
  const refused = await post(link.key, { f0: chinese() }, english);
  expect(refused.status).toBe(422);
  expect(refused.body).toContain("Codes aren’t sent to phone numbers in this country.");
  // Jersey has the calling code of Great Britain, and +882 is that of no country.
  for (const phone of ["+447797712345", "+88213300655"]) {
    expect((await post(link.key, { f0: phone })).status).toBe(422);
  }
  expect(await query(sql`SELECT 1 FROM phone_code`)).toEqual([]);
  expect((await post(link.key, { f0: british() })).status).toBe(303);
});

test("without countries of its own, a form has those of the workspace, else the one of the time zone", async () => {
  await updateWorkspace(scope(), { codeCountries: ["GB"] });
  const { link } = await confirming({ codeCountries: [] });
  expect((await post(link.key, { f0: chinese() })).status).toBe(422);
  expect((await post(link.key, { f0: british() })).status).toBe(303);
  await updateWorkspace(scope(), { codeCountries: [], zone: "Asia/Shanghai" });
  expect((await post(link.key, { f0: british() })).status).toBe(422);
  expect((await post(link.key, { f0: chinese() })).status).toBe(303);
  await updateWorkspace(scope(), { zone: "UTC" });
  expect((await post(link.key, { f0: chinese() })).status).toBe(422);
});

test("a form whose codes go nowhere is not published, and unknown countries are refused", async () => {
  const given = { confirmPhone: true, gatewayId };
  await expect(confirming({ codeCountries: [] })).rejects.toThrow("codeCountries");
  await expect(confirming({ codeCountries: ["XX"] })).rejects.toThrow("no country");
  const body = { name: "Draft", title: "Draft", fields: [{ type: "phone" }], ...given };
  const draft = await createForm(scope(), newForm.parse(body));
  expect(draft.codeCountries).toEqual([]);
  const rest = { consent: "Yes", controller: "Acme", privacyUrl: "https://acme.example/" };
  const publish = (more: object = {}) =>
    changeForm(scope(), draft.id, { ...rest, published: true, ...more });
  await expect(publish()).rejects.toThrow("codeCountries");
  expect((await publish({ codeCountries: ["CN"] })).codeCountries).toEqual(["CN"]);
  await expect(updateWorkspace(scope(), { codeCountries: ["QQ"] })).rejects.toThrow("no country");
});

test("a form from before its countries has none of its own", async () => {
  const { form } = await confirming();
  await query(sql`UPDATE form SET content = content - 'codeCountries' WHERE id = ${form.id}`);
  expect(await getForm(scope(), form.id)).toMatchObject({ codeCountries: [] });
});

test("a country gets as many codes in 24 hours as the workspace says, and not one more, however they are asked for", async () => {
  await updateWorkspace(scope(), { codesPerDay: 3 });
  const { link } = await confirming();
  const address = String((await post(link.key, { f0: british() })).headers.location).slice(1);
  await again();
  expect((await post(address, { again: "1" })).status).toBe(200);
  const both = await Promise.all([0, 1].map(() => post(link.key, { f0: british() }, english)));
  expect(both.map(({ status }) => status).sort()).toEqual([303, 503]);
  expect(both.map(({ body }) => body).join()).toContain("Too many codes were requested");
  await again();
  expect((await post(address, { again: "1" }, english)).status).toBe(503);
  expect((await post(link.key, { f0: chinese() })).status).toBe(303);
  await query(sql`UPDATE phone_code_hour SET hour = hour - interval '24 hours'`);
  expect((await post(link.key, { f0: british() })).status).toBe(303);
});

test("what is refused for the budget leaves no answers and does not count", async () => {
  await updateWorkspace(scope(), { codesPerDay: 1 });
  const { link } = await confirming();
  for (const status of [303, 503, 503]) {
    expect((await post(link.key, { f0: british() })).status).toBe(status);
  }
  expect(await query(sql`SELECT asked FROM phone_code_hour`)).toEqual([{ asked: 1 }]);
  expect(await query(sql`SELECT 1 FROM phone_code`)).toHaveLength(1);
});

test("the budget is a number from 1 to 100,000", () => {
  const isValid = (codesPerDay: number) => editWorkspaceBody.safeParse({ codesPerDay }).success;
  expect([0, 1, codesPerDayMax, codesPerDayMax + 1].map(isValid)).toEqual([
    ...[false, true, true, false],
  ]);
});

test("a workspace that stops codes sends none at once, also those that wait, and goes on when it is started", async () => {
  const { link } = await confirming();
  const address = String((await post(link.key, { f0: british() })).headers.location).slice(1);
  await updateWorkspace(scope(), { codesStopped: true });
  expect(await sendPhoneCodes()).toBe(0);
  expect(server.sent).toEqual([]);
  const refused = await post(link.key, { f0: british() }, english);
  expect(refused.status).toBe(503);
  expect(refused.body).toContain("Codes can’t be sent at the moment.");
  await again();
  expect((await post(address, { again: "1" }, english)).status).toBe(503);
  const [entry] = await listAudit(scope(), { action: "workspace.edit", pageSize: 1 });
  expect(entry?.details).toMatchObject({ codesStopped: { from: false, to: true } });
  await updateWorkspace(scope(), { codesStopped: false });
  expect(await sendPhoneCodes()).toBe(1);
  expect(server.sent).toHaveLength(1);
});

test("members neither stop codes nor change where they go", async () => {
  const member = await joinTestScope(scope(), "pumping-member", "member");
  for (const edit of [{ codesStopped: true }, { codeCountries: ["CN"] }, { codesPerDay: 9 }]) {
    await expect(updateWorkspace(member, edit)).rejects.toThrow("workspace.write");
  }
});

/** Codes of the hour so many hours ago. */
const asked = (hoursAgo: number, count: number, country = "GB") =>
  query(sql`
    INSERT INTO phone_code_hour (workspace_pk, country, hour, asked)
    VALUES (
      ${scope().workspacePk}, ${country}, date_trunc('hour', now()) - ${hoursAgo} * interval '1 hour', ${count}
    )`);
const told = () =>
  query<{ details: unknown }>(
    sql`SELECT details FROM notice WHERE kind = 'codes.rising' ORDER BY pk`,
  );

test("owners and admins hear of a sudden rise once, by email too, and others not", async () => {
  await joinTestScope(scope(), "pumping-viewer", "viewer");
  await asked(30, 40);
  await asked(0, riseFactor * 40 - 1);
  expect(await tellRises()).toBe(0);
  await query(sql`UPDATE phone_code_hour SET asked = asked + 1 WHERE asked > 40`);
  const runs = await Promise.all([tellRises(), tellRises(), tellRises()]);
  expect(runs.toSorted()).toEqual([0, 0, 1]);
  const details = { country: "GB", asked: 120, usual: 40 };
  expect(await told()).toEqual([{ details }]);
  const mails = await query(sql`SELECT 1 FROM notice WHERE kind = 'codes.rising' AND mail_due`);
  expect(mails).toHaveLength(1);
});

test("a rise that goes on in the next hour is the same one, and each country has its own", async () => {
  await asked(1, 200);
  await asked(0, 300);
  await asked(0, riseCodesMin, "CN");
  expect(await tellRises()).toBe(2);
  expect(await told()).toMatchObject([
    { details: { country: expect.stringMatching(/GB|CN/) } },
    { details: { country: expect.stringMatching(/GB|CN/) } },
  ]);
  expect(await tellRises()).toBe(0);
});

test("few codes are no rise, and neither is what a week had before", async () => {
  await asked(0, riseCodesMin - 1);
  expect(await tellRises()).toBe(0);
  await query(sql`UPDATE phone_code_hour SET asked = ${riseCodesMin}`);
  await asked(7 * 24, riseCodesMin);
  expect(await tellRises()).toBe(0);
  await query(
    sql`UPDATE phone_code_hour SET hour = hour - interval '1 hour' WHERE hour < now() - interval '1 day'`,
  );
  expect(await tellRises()).toBe(1);
});

test("a job watches for rises", () => {
  expect(phoneCodeJobs.map(({ name }) => name)).toContain("phone-codes.watch");
});

test("another workspace is neither stopped nor counted", async () => {
  const other = await makeTestScope("pumping-other");
  await updateWorkspace(other, { codesStopped: true, codesPerDay: 1 });
  const { link } = await confirming();
  for (let at = 0; at < 2; at++) {
    expect((await post(link.key, { f0: british() })).status).toBe(303);
  }
  expect((await ask(`/${link.key}`)).status).toBe(200);
});
