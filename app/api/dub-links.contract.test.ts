/** Links through Dub's SDK, which rejects any unexpected response. */
import { Dub } from "dub";
import { describe, expect, test } from "vitest";
import { address, apiKey, apiUrl, mine } from "../../test/contract-server.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });

describe("links over the SDK", () => {
  test("a link is created, read, changed and deleted", async () => {
    const made = await dub.links.create({
      url: address("one"),
      key: `Kampagne-${mine}`,
      externalId: `order-${mine}`,
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
      webhookIds: ["wh_1"],
    });
    expect(made).toMatchObject({
      key: `Kampagne-${mine}`,
      externalId: `order-${mine}`,
      password: "********",
      proxy: true,
      geo: { DE: "https://example.de/", FR: "https://example.fr/" },
      utmSource: "sms",
      utmMedium: "text message",
      utmCampaign: "50% off",
      testVariants: [{ percentage: 50 }, { percentage: 50 }],
      webhookIds: ["wh_1"],
    });
    expect(made.url).toBe(
      `${address("one")}?utm_source=sms&utm_medium=text%20message&utm_campaign=50%25%20off&ref=example.com`,
    );
    expect(await dub.links.get({ linkId: made.id })).toEqual(made);
    expect(await dub.links.get({ externalId: `ext_order-${mine}` })).toEqual(made);
    expect(await dub.links.get({ domain: made.domain, key: made.key })).toEqual(made);

    const changed = await dub.links.update(made.id, {
      url: address("two"),
      title: null,
      password: null,
      geo: null,
      utmMedium: null,
      archived: true,
    });
    expect(changed).toMatchObject({
      id: made.id,
      title: null,
      password: null,
      geo: null,
      archived: true,
      comments: "nur für uns",
      url: address("two"),
    });
    expect(await dub.links.update(made.id, {})).toEqual(changed);
    expect(await dub.links.delete(made.id)).toEqual({ id: made.id });
    await expect(dub.links.get({ linkId: made.id })).rejects.toMatchObject({ statusCode: 404 });
  });

  test("100 links of one call are answered in their order", async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ url: address(`many/${at}`) }));
    const made = await dub.links.createMany(rows);
    expect(made.map((one) => ("url" in one ? one.url : one))).toEqual(rows.map(({ url }) => url));
  });

  test("a refused row does not affect others and comes last", async () => {
    const made = await dub.links.createMany([
      { url: address("good/1") },
      { url: "javascript:alert(1)" },
      { url: address("good/2") },
    ]);
    expect(made).toMatchObject([
      { url: address("good/1") },
      { url: address("good/2") },
      { code: "unprocessable_entity", link: { url: "javascript:alert(1)" } },
    ]);
  });

  test("many links are changed and deleted by id and by externalId; unknown ones are skipped", async () => {
    const made = await dub.links.createMany([
      { url: address("bulk/1") },
      { url: address("bulk/2"), externalId: `bulk-${mine}` },
    ]);
    const [first, second] = made.map((one) => ("id" in one ? one.id : ""));
    const changed = await dub.links.updateMany({
      linkIds: [first ?? "", "link_00000000000000000000000000"],
      data: { comments: "together", utmSource: "bulk" },
    });
    expect(changed).toMatchObject([{ id: first, comments: "together", utmSource: "bulk" }]);
    const other = await dub.links.updateMany({
      externalIds: [`bulk-${mine}`],
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
    const made = await dub.links.create({ url: address("found") });
    expect((await dub.links.upsert({ url: address("found") })).id).toBe(made.id);
  });
});
