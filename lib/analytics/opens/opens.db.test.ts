/** Openings of apps, from the call to the counted click. */
import { beforeAll, expect, test } from "vitest";
import { trackLead } from "#lib/analytics/conversions";
import { trackLeadBody } from "#lib/analytics/conversions/schema";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { askAnalytics, listEvents } from "#lib/analytics/reports";
import { analyticsQuery, eventsQuery } from "#lib/analytics/reports/schema";
import { createTrackingKey } from "#lib/analytics/tracking-keys";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { trackClick, trackOpen } from "./index.ts";
import { trackClickBody, trackOpenBody } from "./schema.ts";

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

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

let visitors = 0;
function visitOf(more: object = {}) {
  visitors += 1;
  return {
    key: undefined,
    origin: "https://shop.example",
    address: `203.0.113.${visitors}`,
    userAgent: browser,
    language: "de-DE",
    ...more,
  };
}

test("a site reports clicks on links of its workspace: one per visitor and hour, bots apart", async () => {
  const { key: publicKey } = await createTrackingKey(scope(), {
    name: "Shop",
    hosts: ["shop.example"],
  });
  const { slug } = await createDomain(scope(), createDomainBody.parse({ slug: "via.localhost" }));
  const link = await make({ url, domain: slug, key: "john" });
  const body = trackClickBody.parse({
    domain: slug,
    key: "john",
    url: "https://shop.example/?via=john&utm_source=friend",
    referrer: "https://blog.example/post",
  });
  const visit = visitOf();
  const answers = await Promise.all([visit, visit, visit].map((one) => trackClick(one, body)));
  expect(new Set(answers.map(({ clickId }) => clickId)).size).toBe(1);
  await trackClick(visitOf(), body);
  await trackClick(visitOf({ userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }), body);
  const clicks = await clicksOf(link.id);
  expect(clicks).toHaveLength(2);
  expect(clicks).toContainEqual(
    expect.objectContaining({
      click_id: answers[0]?.clickId,
      url: body.url,
      click: expect.objectContaining({ referer: "blog.example" }),
    }),
  );
  const count = analyticsQuery.parse({ linkId: link.id, bots: "true", utm_source: "friend" });
  expect((await askAnalytics(scope(), count)).answer).toMatchObject({ clicks: 2, bots: 1 });
  const lead = { eventName: "Sign up", clickId: answers[0]?.clickId, externalId: "via-user" };
  expect((await trackLead(scope(), trackLeadBody.parse(lead))).link?.id).toBe(link.id);

  const shared = await make({ url, key: "on-the-shared-domain" });
  const sharedBody = trackClickBody.parse({ domain: "localhost", key: shared.key });
  await trackClick(visitOf({ key: publicKey }), sharedBody);
  expect(await clicksOf(shared.id)).toHaveLength(1);
  for (const [more, asked, code] of [
    [{ origin: "https://evil.example" }, body, "forbidden"],
    [{ origin: undefined }, body, "forbidden"],
    [{}, sharedBody, "unauthorized"],
    [{ key: "fuxi_pk_unknown" }, body, "unauthorized"],
    [{}, { ...body, key: "missing" }, "not_found"],
  ] as const) {
    await expect(trackClick(visitOf(more), asked)).rejects.toMatchObject({ code });
  }
});

test("too many clicks from one address are refused", async () => {
  const visit = visitOf({ origin: "https://evil.example" });
  const body = trackClickBody.parse({ domain: "localhost", key: "x" });
  for (let calls = 0; calls < 120; calls++) await trackClick(visit, body).catch(() => null);
  await expect(trackClick(visit, body)).rejects.toThrow("Too many requests");
});
