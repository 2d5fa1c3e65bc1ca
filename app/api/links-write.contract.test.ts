/** Creating and editing links over raw HTTP, one block per status. */
import { describe, expect, test } from "vitest";
import {
  address,
  call,
  create,
  expectError,
  type Json,
  makeLink,
  origin,
  runSuffix,
} from "../../test/contract-server.ts";

const linkKeys = [
  "id domain key url shortLink qrCode externalId tenantId programId partnerId trackConversion",
  "archived expiresAt expiredUrl disabledAt password proxy title description image video rewrite",
  "doIndex ios android geo publicStats tags folderId comments utm_source utm_medium utm_campaign",
  "utm_term utm_content testVariants testStartedAt testCompletedAt userId workspaceId clicks leads",
  "conversions sales saleAmount lastClicked createdAt updatedAt tagId projectId webhookIds",
  "identifier linkRetentionCleanupDisabledAt",
].flatMap((line) => line.split(" "));

describe("200", () => {
  test("a plain link has all the 53 keys of Dub, and says when it retires", async () => {
    const link = await makeLink({ url: address("plain") });
    expect(Object.keys(link).sort()).toEqual([...linkKeys, "retirementDue"].sort());
    const due = new Date(Date.parse(String(link["createdAt"])) + 730 * 86_400_000);
    expect(link["retirementDue"]).toBe(due.toISOString());
    expect((await call("GET", `/links/${link.id}`)).body).toEqual(link);
    const edited = await call("PATCH", `/links/${link.id}`, { title: "Edited" });
    expect(edited.body.retirementDue).toBe(due.toISOString());
    const printed = await makeLink({ url: address("printed"), qr: {} });
    expect(printed["retirementDue"]).toBeNull();
    expect(linkKeys).toHaveLength(53);
    expect(link.key).toMatch(/^[0-9A-Za-z]{6}$/);
  });

  test("Fuxi's own fields appear when they are set", async () => {
    const own = {
      startsAt: "2030-01-01T00:00:00.000Z",
      maxClicks: 5,
      redirectStatus: 301,
      forwardQuery: true,
      forwardPath: true,
      rules: [{ country: ["DE"], device: ["mobile"], app: ["wechat"], url: "https://example.de/" }],
      insideApps: { open: "browser", canContinue: false },
    };
    const link = await makeLink({ url: address("own"), ...own });
    expect(link).toMatchObject(own);
    expect((await call("GET", `/links/${link.id}`)).body).toEqual(link);
  });

  test("an address without a scheme is https", async () => {
    expect(await makeLink({ url: "example.com/x?y=1" })).toMatchObject({
      url: "https://example.com/x?y=1",
    });
  });

  test("null is the same as omitted when a link is created", async () => {
    const names = linkKeys.filter((name) => !["id", "url", "webhookIds"].includes(name));
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    const link = await makeLink({ ...nothing, url: address("nulls"), webhookIds: null });
    expect(link).toMatchObject({ archived: false, title: null, webhookIds: [], tags: [] });
  });

  test("unknown fields are ignored and named", async () => {
    const answer = await create({ url: address("newer"), newerField: 1 });
    expect(answer.status).toBe(200);
    expect(answer.headers["x-fuxi-ignored"]).toBe("newerField");
  });

  test("a slug is a key, for creates, updates, upserts and in bulk", async () => {
    const slug = (name: string) => `slug-${name}-${runSuffix}`;
    const made = await makeLink({ url: address("slug"), slug: slug("made") });
    expect(made.key).toBe(slug("made"));
    const both = { slug: slug("changed"), key: slug("changed") };
    const changed = await call("PATCH", `/links/${made.id}`, both);
    expect([changed.body.key, changed.headers["x-fuxi-ignored"]]).toEqual([both.key, undefined]);
    const upserted = await call("PUT", "/links/upsert", {
      url: address("slug/upserted"),
      slug: slug("upserted"),
    });
    expect(upserted.body.key).toBe(slug("upserted"));
    const rows = [1, 2].map((at) => ({ url: address(`slug/${at}`), slug: slug(`row${at}`) }));
    const { body } = await call("POST", "/links/bulk", rows);
    expect(body.map(({ key }: Json) => key)).toEqual(rows.map((row) => row.slug));
    const differing = { url: address("slug/differs"), key: slug("one"), slug: slug("two") };
    const refused = [
      await create(differing),
      await call("PUT", "/links/upsert", differing),
      await call("PATCH", `/links/${made.id}`, differing),
    ];
    for (const answer of refused) {
      expectError(answer, 422, "unprocessable_entity", /^slug: This is another name of key/);
    }
    const [row] = (await call("POST", "/links/bulk", [differing])).body;
    expect(row).toMatchObject({ code: "unprocessable_entity" });
    const tags = await create({ url: address("slug/tags"), tagId: "tag_1", tagIds: ["tag_2"] });
    expectError(tags, 422, "unprocessable_entity", /^tagId: This is another name of tagIds/);
  });

  test("campaign parameters are added to the address and leave the rest of it unchanged", async () => {
    const url = `${address("utm")}?a=b+c&x=%7E&utm_source=old&utm_term=kept#part`;
    const link = await makeLink({ url, utm_source: "new & old", utm_medium: null });
    expect(link).toMatchObject({
      url: `${address("utm")}?a=b+c&x=%7E&utm_source=new%20%26%20old&utm_term=kept#part`,
      utm_source: "new & old",
      utm_term: "kept",
      utm_medium: null,
    });
    const cleared = await call("PATCH", `/links/${link.id}`, { utm_term: null });
    expect(cleared.body).toMatchObject({
      url: `${address("utm")}?a=b+c&x=%7E&utm_source=new%20%26%20old#part`,
      utm_term: null,
    });
  });

  test.each([
    ["several segments", `${runSuffix}/a/b`],
    ["letters of any script", `活动-${runSuffix}`],
    ["an emoji of several characters", `👩‍💻-${runSuffix}`],
    ["190 characters", `${runSuffix}${"x".repeat(190 - runSuffix.length)}`],
  ])("a key may have %s", async (_, key) => {
    expect((await makeLink({ url: address("key"), key })).key).toBe(key);
  });

  test("a key is kept in its composed form", async () => {
    const link = await makeLink({ url: address("nfc"), key: `cafe\u0301-${runSuffix}` });
    expect(link.key).toBe(`caf\u00e9-${runSuffix}`);
    const again = await create({ url: address("nfc"), key: `caf\u00e9-${runSuffix}` });
    expect(again.status).toBe(409);
  });

  test.each([
    [3, 3],
    [7, 7],
    [190, 190],
  ])("a key of %i characters is generated when requested", async (keyLength, length) => {
    const link = await makeLink({ url: address("length"), keyLength });
    expect(link.key).toMatch(/^[0-9A-Za-z]+$/);
    expect(link.key).toHaveLength(length);
  });

  test("a prefix stands before a generated key", async () => {
    const link = await makeLink({ url: address("prefix"), prefix: "/go/" });
    expect(link.key).toMatch(/^go\/[0-9A-Za-z]{6}$/);
  });

  test("a password is never shown, and the mask leaves it as it is", async () => {
    const link = await makeLink({ url: address("secret"), password: "open sesame" });
    expect(link["password"]).toBe("********");
    const same = await call("PATCH", `/links/${link.id}`, { password: "********" });
    expect(same.body).toEqual(link);
    const open = await call("PATCH", `/links/${link.id}`, { password: null });
    expect(open.body.password).toBeNull();
    const created = await call("POST", "/links", { url: address("mask"), password: "********" });
    expect([created.status, created.body.error.message]).toEqual([
      422,
      "password: Replace ******** with the password, or remove it.",
    ]);
  });

  test("the same url gives the same link when requested, to 20 clients at once", async () => {
    const body = { url: address("same"), reuse: true };
    const links = await Promise.all(Array.from({ length: 20 }, () => makeLink(body)));
    expect(new Set(links.map(({ id }) => id)).size).toBe(1);
    expect((await makeLink({ url: address("same") })).id).not.toBe(links[0]?.id);
  });

  test("a link that was disabled or changed is not reused", async () => {
    const body = { url: address("ended"), reuse: 60 };
    const first = await makeLink(body);
    await call("PATCH", `/links/${first.id}`, { disabled: true });
    const second = await makeLink(body);
    expect(second.id).not.toBe(first.id);
    expect((await makeLink(body)).id).toBe(second.id);
    await call("PATCH", `/links/${second.id}`, { url: address("elsewhere") });
    expect((await makeLink(body)).id).not.toBe(second.id);
  });

  test("a link found by externalId is changed and deleted", async () => {
    await makeLink({ url: address("external"), externalId: `e-${runSuffix}` });
    const path = `/links/ext_e-${runSuffix}`;
    expect((await call("PUT", path, { title: "by PUT" })).body.title).toBe("by PUT");
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("GET", path)).status).toBe(404);
  });

  test("a renamed link answers under its new key only, and its old key is free", async () => {
    const link = await makeLink({ url: address("rename"), key: `old-${runSuffix}` });
    const renamed = await call("PATCH", `/links/${link.id}`, { key: `new-${runSuffix}` });
    expect(renamed.body.key).toBe(`new-${runSuffix}`);
    await makeLink({ url: address("rename/other"), key: `old-${runSuffix}` });
  });
});

describe("404", () => {
  test.each(["link_00000000000000000000000000", "ext_nobody", "nonsense"])(
    "a missing link: %s",
    async (id) => {
      for (const method of ["GET", "DELETE"]) {
        expectError(await call(method, `/links/${id}`), 404, "not_found", /Link ".*" not found/);
      }
      expectError(
        await call("PATCH", `/links/${id}`, { title: "x" }),
        404,
        "not_found",
        /Link ".*" not found/,
      );
    },
  );
});

describe("409", () => {
  test("of 50 clients that request one key at once, one gets it", async () => {
    const body = { url: address("fifty"), key: `fifty-${runSuffix}` };
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(body)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(409)]);
  });

  test("an externalId is used once", async () => {
    await makeLink({ url: address("ext"), externalId: `x-${runSuffix}` });
    const again = await create({ url: address("ext"), externalId: `x-${runSuffix}` });
    expectError(again, 409, "conflict", /externalId/);
  });

  test("an externalId is taken by an edit once, for ten clients at once", async () => {
    const links = await Promise.all(
      Array.from({ length: 10 }, (_, at) => makeLink({ url: address(`race/${at}`) })),
    );
    const answers = await Promise.all(
      links.map(({ id }) => call("PATCH", `/links/${id}`, { externalId: `race-${runSuffix}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
  });

  test("a key that spells the code of a link of the same domain", async () => {
    const { key } = await makeLink({ url: address("code") });
    expectError(await create({ url: address("spelt"), key }), 409, "conflict", /taken/);
  });
});

describe("422", () => {
  test.each([
    ["javascript:alert(1)"],
    [" JaVaScRiPt:alert(1)"],
    ["java\tscript:alert(1)"],
    ["data:text/html,x"],
    ["vbscript:x"],
    ["file:///etc/passwd"],
    ["blob:https://example.com/1"],
    ["about:blank"],
    ["//example.com"],
    ["\\\\example.com"],
    ["https://exa\nmple.com"],
    ["https://"],
    ["nonsense"],
    [""],
  ])("an invalid address is refused in every field that has one: %j", async (bad) => {
    const bodies: Json[] = [
      { url: bad },
      { url: address("x"), expiredUrl: bad },
      { url: address("x"), ios: bad },
      { url: address("x"), android: bad },
      { url: address("x"), image: bad },
      { url: address("x"), video: bad },
      { url: address("x"), geo: { DE: bad } },
      { url: address("x"), rules: [{ country: ["DE"], url: bad }] },
      {
        url: address("x"),
        testVariants: [
          { url: bad, percentage: 50 },
          { url: address("y"), percentage: 50 },
        ],
      },
    ];
    for (const body of bodies) {
      expectError(await create(body), 422, "unprocessable_entity", /https:\/\/|Invalid/);
    }
  });

  const hosts = ["url", "expiredUrl", "ios"];
  test.each(hosts)("a short link is no destination: %s", async (field) => {
    const loop = `${origin.origin}/abc`;
    const body = { url: address("loop"), [field]: loop };
    expectError(await create(body), 422, "unprocessable_entity", /short link/);
  });

  test.each([
    ["url of 32,001 characters", { url: `https://e.com/${"x".repeat(31_987)}` }],
    ["no url", {}],
    ["reserved word", { key: "API" }],
    ["reserved first segment", { key: "_next/x" }],
    ["dot segment", { key: "a/../b" }],
    ["empty segment", { key: "a//b" }],
    ["blank", { key: "a b" }],
    ["percent sign", { key: "a%2fb" }],
    ["question mark", { key: "a?b" }],
    ["zero-width character", { key: "a\u200bb" }],
    ["right-to-left override", { key: "a\u202eb" }],
    ["key of 191 characters", { key: "x".repeat(191) }],
    ["_root of a domain of everyone", { key: "_root", domain: origin.hostname }],
    ["keyLength 2", { keyLength: 2 }],
    ["keyLength 191", { keyLength: 191 }],
    ["prefix and key beyond 190 characters", { prefix: "p".repeat(100), keyLength: 100 }],
    ["title of 501 characters", { title: "x".repeat(501) }],
    ["externalId of 256 characters", { externalId: "x".repeat(256) }],
    ["password of 201 characters", { password: "x".repeat(201) }],
    ["maxClicks 0", { maxClicks: 0 }],
    ["maxClicks 2^31", { maxClicks: 2_147_483_648 }],
    ["redirectStatus 303", { redirectStatus: 303 }],
    ["one variant", { testVariants: [{ url: "https://e.com", percentage: 100 }] }],
    ["variants of 99 percent", { testVariants: ["a", "b"].map(variant(49.5)) }],
    ["eleven variants", { testVariants: [..."abcdefghijk"].map(variant(100 / 11)) }],
    ["country of three letters", { geo: { DEU: "https://e.com" } }],
    ["rule without a condition", { rules: [{ url: "https://e.com" }] }],
    ["51 rules", { rules: Array(51).fill({ country: ["DE"], url: "https://e.com" }) }],
    ["date without a zone", { expiresAt: "2030-01-01" }],
    ["end before start", { startsAt: "2030-01-02T00:00:00Z", expiresAt: "2030-01-01T00:00:00Z" }],
    ["tag that is not there", { tagNames: "nothing" }],
    ["campaign parameter of 256 characters", { utm_term: "x".repeat(256) }],
    ["reuse for no time", { reuse: 0 }],
  ])("refused with a message: %s", async (name, fields) => {
    const body = name === "no url" ? fields : { url: address("x"), ...fields };
    const answer = await create(body);
    expectError(answer, 422, "unprocessable_entity", /\w+ \w+/);
  });

  function variant(percentage: number) {
    return (name: string) => ({ url: `https://e.com/${name}`, percentage });
  }

  test("at the limit it is accepted", async () => {
    const urlChars = 32_000 - address("").length;
    const link = await makeLink({
      url: address("x".repeat(urlChars)),
      title: "x".repeat(500),
      description: "x".repeat(2_000),
      externalId: `${runSuffix}${"x".repeat(255 - runSuffix.length)}`,
      password: "x".repeat(200),
      maxClicks: 2_147_483_647,
      rules: Array(50).fill({ country: ["DE"], url: "https://e.com" }),
      testVariants: [..."abcdefghij"].map(variant(10)),
    });
    expect(String(link["url"])).toHaveLength(32_000);
  });

  test("more than 20 different passwords in one call are refused, each row with a message", async () => {
    const body = Array.from({ length: 21 }, (_, at) => ({ url: address("p"), password: `p${at}` }));
    const answer = await call("POST", "/links/bulk", body);
    expect(answer.body[0]).toMatchObject({ code: "unprocessable_entity" });
    expect(answer.body[0].error).toMatch(/20 different passwords/);
  });
});
