import { beforeAll, beforeEach, expect, test } from "vitest";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { query, sql } from "#lib/platform/postgres";
import type { OperatorScope } from "#lib/tenancy/operators";
import { makeTestOperator, makeTestPerson } from "../../../test/operators.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  closeAnnouncement,
  createAnnouncement,
  endAnnouncement,
  findAnnouncements,
  listAnnouncements,
  openAnnouncementsMax,
} from "./index.ts";
import { createAnnouncementBody, daysMax, textCharsMax, urlCharsMax } from "./schema.ts";

openTestStores();

const dayMs = 86_400_000;
let operator: OperatorScope;
let ada: SessionUser;
let eve: SessionUser;

beforeAll(async () => {
  ({ operator } = await makeTestOperator("root"));
  ada = await makeTestPerson("ada");
  eve = await makeTestPerson("eve");
});

beforeEach(() => query(sql`DELETE FROM announcement`));

function after(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

function body(values: Record<string, unknown> = {}) {
  const whole = { textEn: "Maintenance", textZh: "维护", endsAt: after(dayMs), reason: "Planned" };
  return createAnnouncementBody.safeParse({ ...whole, ...values });
}

async function announce(values: Record<string, unknown> = {}) {
  const { data } = body(values);
  if (!data) throw new Error("invalid");
  return await createAnnouncement(operator, data);
}

const textsOf = async (user: SessionUser, at?: Date) =>
  (await findAnnouncements(user.pk, "en", at)).map(({ text }) => text);

test("everyone sees an announcement in their language until they close it, and only they have closed it", async () => {
  const { id } = await announce({ url: "https://example.com/", level: "warning" });
  const shown = { id, url: "https://example.com/", level: "warning" };
  expect(await findAnnouncements(ada.pk, "en")).toEqual([{ ...shown, text: "Maintenance" }]);
  expect(await findAnnouncements(ada.pk, "zh")).toEqual([{ ...shown, text: "维护" }]);
  await closeAnnouncement(ada.pk, id);
  await closeAnnouncement(ada.pk, id);
  expect(await textsOf(ada)).toEqual([]);
  expect(await textsOf(eve)).toEqual(["Maintenance"]);
  expect(await listAnnouncements(operator)).toMatchObject([{ id, closed: 1, state: "shown" }]);
  await closeAnnouncement(ada.pk, "ann_none");
});

test("it is shown from its start, and no longer at its end", async () => {
  const [startsAt, endsAt] = [after(dayMs), after(2 * dayMs)];
  await announce({ startsAt, endsAt });
  const at = (text: string, ms: number) => textsOf(ada, new Date(Date.parse(text) + ms));
  expect(await at(startsAt, -1)).toEqual([]);
  expect(await at(startsAt, 0)).toHaveLength(1);
  expect(await at(endsAt, -1)).toHaveLength(1);
  expect(await at(endsAt, 0)).toEqual([]);
  expect(await listAnnouncements(operator)).toMatchObject([{ state: "scheduled" }]);
  expect(await listAnnouncements(operator, Date.parse(endsAt))).toMatchObject([{ state: "ended" }]);
});

test("ending one hides it at once and once, and both changes are recorded with their reasons", async () => {
  const { id } = await announce();
  await endAnnouncement(operator, id, "Done early");
  expect(await textsOf(ada)).toEqual([]);
  await expect(endAnnouncement(operator, id, "Done early")).rejects.toMatchObject({
    code: "not_found",
  });
  const rows = await query(sql`
    SELECT action, actor, details ->> 'reason' AS reason, details ->> 'name' AS name
    FROM audit WHERE subject = ${id} ORDER BY id`);
  const entry = { actor: operator.actor, name: "Maintenance" };
  expect(rows).toEqual([
    { ...entry, action: "operator.announce", reason: "Planned" },
    { ...entry, action: "operator.end_announcement", reason: "Done early" },
  ]);
});

test("up to the limit of announcements at once, also when created together; ended ones don’t count", async () => {
  const made = await Promise.allSettled(
    Array.from({ length: openAnnouncementsMax + 1 }, () => announce()),
  );
  const refused = made.filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([{ reason: { problem: { code: "announcements_full" } } }]);
  const [first] = await listAnnouncements(operator);
  await endAnnouncement(operator, first?.id ?? "", "Room for another");
  await announce();
  await expect(announce()).rejects.toMatchObject({ code: "unprocessable_entity" });
});

test("texts, links and periods are limited, and a text is one plain line", () => {
  const isValid = (values: Record<string, unknown>) => body(values).success;
  for (const field of ["textEn", "textZh"]) {
    expect(isValid({ [field]: "x".repeat(textCharsMax) })).toBe(true);
    expect(isValid({ [field]: "x".repeat(textCharsMax + 1) })).toBe(false);
    for (const text of ["", " ", "two\nlines", undefined]) {
      expect([text, isValid({ [field]: text })]).toEqual([text, false]);
    }
  }
  const url = "https://example.com/".padEnd(urlCharsMax, "x");
  expect(isValid({ url })).toBe(true);
  expect(isValid({ url: `${url}x` })).toBe(false);
  expect(isValid({ url: "javascript:alert(1)" })).toBe(false);
  const startsAt = after(dayMs);
  const ends = (ms: number) => new Date(Date.parse(startsAt) + ms).toISOString();
  expect(isValid({ startsAt, endsAt: ends(0) })).toBe(false);
  expect(isValid({ startsAt, endsAt: ends(1) })).toBe(true);
  expect(isValid({ startsAt, endsAt: ends(daysMax * dayMs) })).toBe(true);
  expect(isValid({ startsAt, endsAt: ends(daysMax * dayMs + 1) })).toBe(false);
  expect(isValid({ level: "error" })).toBe(false);
  expect(isValid({ reason: "no" })).toBe(false);
});

test("the account of a person can be deleted with what they closed", async () => {
  const { id } = await announce();
  const gone = await makeTestPerson("gone");
  await closeAnnouncement(gone.pk, id);
  await query(sql`DELETE FROM app_user WHERE pk = ${gone.pk}`);
  expect(await listAnnouncements(operator)).toMatchObject([{ closed: 0 }]);
});
