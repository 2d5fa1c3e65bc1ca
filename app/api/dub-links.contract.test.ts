/** Links through Dub's SDK, which rejects any unexpected response. */
import { Dub } from "dub";
import { describe, expect, test } from "vitest";
import { address, apiKey, apiUrl, call, runSuffix } from "../../test/contract-server.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });

describe("links over the SDK", () => {
  test("a link is created, read, changed and deleted", async () => {
    const webhook = await call("POST", "/webhooks", {
      name: "Chosen links",
      url: "https://example.com/hook",
      events: ["link.deleted"],
      chosenLinks: true,
    });
    const webhookId = String(webhook.body.id);
    const created = await dub.links.create({
      url: address("one"),
      key: `Kampagne-${runSuffix}`,
      externalId: `order-${runSuffix}`,
      tenantId: "tenant",
      title: "Ein Titel",
      description: "Eine Beschreibung",
      image: "https://img.example.com/1.png",
      video: "https://img.example.com/1.mp4",
      proxy: true,
      comments: "nur für uns",
      password: "geheim",
      expiresAt: "2099-01-01T00:00:00.000Z",
      expiredUrl: "https://example.com/ended",
      ios: "https://apps.apple.com/app/1",
      android: "https://play.google.com/store/apps/1",
      geo: { DE: "https://example.de/", FR: "https://example.fr/" },
      doIndex: true,
      trackConversion: true,
      publicStats: true,
      utmSource: "sms",
      utmMedium: "text message",
      utmCampaign: "50% off",
      ref: "example.com",
      testVariants: [
        { url: "https://example.com/a", percentage: 50 },
        { url: "https://example.com/b", percentage: 50 },
      ],
      testCompletedAt: "2099-01-01T00:00:00.000Z",
      webhookIds: [webhookId],
    });
    expect(created).toMatchObject({
      key: `Kampagne-${runSuffix}`,
      externalId: `order-${runSuffix}`,
      password: "********",
      proxy: true,
      geo: { DE: "https://example.de/", FR: "https://example.fr/" },
      utmSource: "sms",
      utmMedium: "text message",
      utmCampaign: "50% off",
      testVariants: [{ percentage: 50 }, { percentage: 50 }],
      webhookIds: [webhookId],
    });
    expect(created.url).toBe(
      `${address("one")}?utm_source=sms&utm_medium=text%20message&utm_campaign=50%25%20off&ref=example.com`,
    );
    expect(await dub.links.get({ linkId: created.id })).toEqual(created);
    expect(await dub.links.get({ externalId: `ext_order-${runSuffix}` })).toEqual(created);
    expect(await dub.links.get({ domain: created.domain, key: created.key })).toEqual(created);

    const changed = await dub.links.update(created.id, {
      url: address("two"),
      title: null,
      password: null,
      geo: null,
      utmMedium: null,
      archived: true,
    });
    expect(changed).toMatchObject({
      id: created.id,
      title: null,
      password: null,
      geo: null,
      archived: true,
      comments: "nur für uns",
      url: `${address("two")}?utm_source=sms&utm_campaign=50%25%20off`,
    });
    expect(await dub.links.update(created.id, {})).toEqual(changed);
    expect(await dub.links.delete(created.id)).toEqual({ id: created.id });
    await expect(dub.links.get({ linkId: created.id })).rejects.toMatchObject({ statusCode: 404 });
  });

  test("100 links of one call are answered in their order", async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ url: address(`many/${at}`) }));
    const created = await dub.links.createMany(rows);
    expect(created.map((one) => ("url" in one ? one.url : one))).toEqual(
      rows.map(({ url }) => url),
    );
  });

  test("a refused row does not affect others and comes last", async () => {
    const created = await dub.links.createMany([
      { url: address("good/1") },
      { url: "javascript:alert(1)" },
      { url: address("good/2") },
    ]);
    expect(created).toMatchObject([
      { url: address("good/1") },
      { url: address("good/2") },
      { code: "unprocessable_entity", link: { url: "javascript:alert(1)" } },
    ]);
  });

  test("many links are changed and deleted by id and by externalId; unknown ones are skipped", async () => {
    const created = await dub.links.createMany([
      { url: address("bulk/1") },
      { url: address("bulk/2"), externalId: `bulk-${runSuffix}` },
    ]);
    const [first, second] = created.map((one) => ("id" in one ? one.id : ""));
    const changed = await dub.links.updateMany({
      linkIds: [first ?? "", "link_00000000000000000000000000"],
      data: { comments: "together", utmSource: "bulk" },
    });
    expect(changed).toMatchObject([{ id: first, comments: "together", utmSource: "bulk" }]);
    const other = await dub.links.updateMany({
      externalIds: [`bulk-${runSuffix}`],
      data: { archived: true },
    });
    expect(other).toMatchObject([{ id: second, archived: true }]);
    const linkIds = [first ?? "", second ?? "", "link_00000000000000000000000000"];
    expect(await dub.links.deleteMany({ linkIds })).toEqual({ deletedCount: 2 });
  });

  test("20 clients that upsert one url get one link", async () => {
    const url = address("upsert");
    const links = await Promise.all(Array.from({ length: 20 }, () => dub.links.upsert({ url })));
    expect(new Set(links.map(({ id }) => id)).size).toBe(1);
    const changed = await dub.links.upsert({ url, title: "Named later" });
    expect(changed).toMatchObject({ id: links[0]?.id, title: "Named later" });
  });

  test("an upsert finds a link that another call created", async () => {
    const created = await dub.links.create({ url: address("found") });
    expect((await dub.links.upsert({ url: address("found") })).id).toBe(created.id);
  });
});
