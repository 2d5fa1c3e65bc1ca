/** Openings of apps, from the call to the counted click. */
import { beforeAll, expect, test } from "vitest";
import { trackLead } from "#lib/analytics/conversions";
import { trackLeadBody } from "#lib/analytics/conversions/schema";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { askAnalytics, listEvents } from "#lib/analytics/reports";
import { analyticsQuery, eventsQuery } from "#lib/analytics/reports/schema";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { trackOpen } from "./index.ts";
import { trackOpenBody } from "./schema.ts";

openTestStores();
const { make, scope } = openTestVisits("opens");

beforeAll(() => openIngest());

const url = "https://shop.example/";
const agent = "ShopApp/3.1 CFNetwork/1494.0.7 Darwin/23.4.0";

const open = (body: object, key?: string, as = scope()) =>
  trackOpen(as, trackOpenBody.parse(body), key);

async function clicksOf(linkId: string) {
  await ingestAll();
  return await listEvents(scope(), eventsQuery.parse({ linkId }));
}

test("an open is one click of a person, with the data of the device, whatever its user agent", async () => {
  const link = await make({ url });
  const answer = await open({
    deepLink: `http://localhost/${link.key}?qr=1&utm_source=poster`,
    userAgent: agent,
    ip: "203.0.113.7",
    language: "de-DE",
  });
  expect(answer).toEqual({
    clickId: expect.stringMatching(/^\d{13}-[0-9a-f-]{36}$/),
    link: { id: link.id, domain: "localhost", key: link.key, url },
  });
  const [click, ...more] = await clicksOf(link.id);
  expect(more).toEqual([]);
  expect(click).toMatchObject({ click: { id: answer.clickId, qr: true }, link: { id: link.id } });
  const count = analyticsQuery.parse({ linkId: link.id, bots: "true", unique: "true" });
  expect((await askAnalytics(scope(), count)).answer).toMatchObject({
    clicks: 1,
    bots: 0,
    visitors: 1,
  });
  const languages = analyticsQuery.parse({ linkId: link.id, groupBy: "languages" });
  expect((await askAnalytics(scope(), languages)).answer).toMatchObject([{ language: "de" }]);
  const lead = { clickId: answer.clickId, eventName: "Sign up", customerExternalId: "app-user" };
  expect((await trackLead(scope(), trackLeadBody.parse(lead))).link?.id).toBe(link.id);
});

test("calls with one key are one click, also at once and after it was counted; without a key each is one", async () => {
  const link = await make({ url });
  const body = { deepLink: `localhost/${link.key}`, userAgent: agent };
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(body, "open-1")));
  await ingestAll();
  answers.push(await open(body, "open-1"));
  expect(new Set(answers.map(({ clickId }) => clickId)).size).toBe(1);
  expect(await clicksOf(link.id)).toHaveLength(1);
  await open(body, "open-2");
  await open(body);
  await open(body);
  expect(await clicksOf(link.id)).toHaveLength(4);
});

test("a link of another workspace, a missing one and a malformed address record nothing", async () => {
  const link = await make({ url });
  const foreign = await makeTestScope("foreign");
  const key = link.key;
  const refused = [
    () => open({ deepLink: `http://localhost/${key}` }, "k", foreign),
    () => open({ deepLink: "http://localhost/not-there" }),
    () => open({ deepLink: `http://elsewhere.example/${key}` }),
  ];
  for (const call of refused) await expect(call()).rejects.toMatchObject({ code: "not_found" });
  await expect(open({ deepLink: "http://%" })).rejects.toThrow("Use a full short link");
  expect(await clicksOf(link.id)).toEqual([]);
});

test("texts with separators of events stay inside of their field", async () => {
  const link = await make({ url });
  const broken = "x\u001f\u001ey".repeat(3);
  await open({ deepLink: `http://localhost/${link.key}`, userAgent: broken, language: broken });
  expect(await clicksOf(link.id)).toHaveLength(1);
  expect(trackOpenBody.safeParse({ deepLink: "a".repeat(2_001) }).success).toBe(false);
  expect(trackOpenBody.safeParse({ deepLink: "a".repeat(2_000) }).success).toBe(true);
  expect(trackOpenBody.safeParse({ deepLink: "a", ip: "nowhere" }).success).toBe(false);
});
