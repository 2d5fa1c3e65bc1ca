/** Details on which scripts written for Dub rely, through its SDK or raw HTTP. */
import { randomBytes } from "node:crypto";
import { Dub } from "dub";
import * as errors from "dub/models/errors";
import { describe, expect, test } from "vitest";
import {
  address,
  apiKey,
  apiUrl,
  call,
  create,
  expectError,
  makeLink,
  origin,
  runSuffix,
} from "../../test/contract-server.ts";
import { send } from "../../test/http-client.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });

/** Below localhost a domain is verified at once. */
function freshHost(): string {
  return `c${randomBytes(4).toString("hex")}.localhost`;
}

describe("campaign parameters", () => {
  test("a new url alone keeps them", async () => {
    const link = await makeLink({ url: `${address("a")}?x=1`, utm_source: "mail", utm_term: "t" });
    const moved = await dub.links.update(link.id, { url: "example.com" });
    expect(moved).toMatchObject({
      url: "https://example.com/?utm_source=mail&utm_term=t",
      utmSource: "mail",
      utmTerm: "t",
    });
  });

  test("a value that the link has changes nothing, a changed one stays in its place", async () => {
    const url = `${address("b")}?utm_source=a+b&x=1&utm_term=t`;
    const link = await makeLink({ url });
    const same = await dub.links.update(link.id, { utmSource: "a b" });
    expect(same).toMatchObject({ url, updatedAt: link["updatedAt"] });
    const changed = await dub.links.update(link.id, { utmSource: "c" });
    expect(changed.url).toBe(url.replace("a+b", "c"));
  });

  test("an address without a scheme may have them", async () => {
    const link = await makeLink({ url: `example.com/?utm_source=${runSuffix}` });
    expect(link).toMatchObject({
      url: `https://example.com/?utm_source=${runSuffix}`,
      utm_source: runSuffix,
    });
  });

  test("they have up to 255 characters", async () => {
    const longest = "x".repeat(255);
    for (const name of ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]) {
      expect(await makeLink({ url: address("c"), [name]: longest })).toMatchObject({
        [name]: longest,
      });
      const body = { url: address("c"), [name]: `${longest}x` };
      expectError(await create(body), 422, "unprocessable_entity", /255/);
    }
  });
});

describe("domains", () => {
  test("an empty file for apps is none", async () => {
    const slug = freshHost();
    const made = await dub.domains.create({ slug, assetLinks: "", appleAppSiteAssociation: "" });
    expect(made).toMatchObject({ assetLinks: null, appleAppSiteAssociation: null });
    await dub.domains.update(slug, { assetLinks: "[]", appleAppSiteAssociation: "{}" });
    const cleared = await dub.domains.update(slug, { assetLinks: "", appleAppSiteAssociation: "" });
    expect(cleared).toMatchObject({ assetLinks: null, appleAppSiteAssociation: null });
    await dub.domains.delete(slug);
  });

  test("a domain has a root link, which redirects once it has a url", async () => {
    const slug = freshHost();
    await dub.domains.create({ slug, placeholder: "https://example.com/placeholder" });
    const visit = () => send(`${origin.origin}/`, { headers: { Host: `${slug}:${origin.port}` } });
    const root = await dub.links.get({ domain: slug, key: "_root" });
    expect(root).toMatchObject({ domain: slug, key: "_root", url: "" });
    expect((await call("GET", `/links/info?domain=${slug}`)).body.id).toBe(root.id);
    expect((await visit()).headers.location).toBe("https://example.com/placeholder");
    const set = await dub.links.update(root.id, { url: "https://example.com/root" });
    expect(set).toMatchObject({ key: "_root", url: "https://example.com/root" });
    await expect
      .poll(async () => (await visit()).headers.location)
      .toBe("https://example.com/root");
    await expect(dub.links.delete(root.id)).rejects.toBeInstanceOf(errors.Forbidden);
    expect(await dub.domains.delete(slug)).toEqual({ slug });
    await expect(dub.links.get({ linkId: root.id })).rejects.toBeInstanceOf(errors.NotFound);
  });

  test("`deepviewData` is null, and named as ignored when it is sent", async () => {
    const slug = freshHost();
    const made = await call("POST", "/domains", { slug, deepviewData: "{}" });
    expect(made.body).toMatchObject({ slug, deepviewData: null });
    expect(made.headers["x-fuxi-ignored"]).toBe("deepviewData");
    await dub.domains.delete(slug);
  });

  test("POST makes a domain primary like PUT", async () => {
    const slug = freshHost();
    await dub.domains.create({ slug });
    const answer = await call("POST", `/domains/${slug}/primary`);
    expect([answer.status, answer.body]).toMatchObject([200, { slug, primary: true }]);
    await call("DELETE", `/domains/${slug}/primary`);
    await dub.domains.delete(slug);
  });
});

describe("references to what the workspace does not have", () => {
  test("an unknown domain is a 403", async () => {
    const body = { url: address("d"), domain: "other.example.com" };
    expectError(await create(body), 403, "forbidden", /no verified domain/);
    await expect(dub.links.create(body)).rejects.toBeInstanceOf(errors.Forbidden);
    const [row] = (await call("POST", "/links/bulk", [body])).body;
    expect(row).toMatchObject({ code: "forbidden" });
  });

  test("an unknown folder is a 404", async () => {
    const body = { url: address("e"), folderId: "fold_01ARZ3NDEKTSV4RRFFQ69G5FAV" };
    expectError(await create(body), 404, "not_found", /Folder/);
    const link = await makeLink({ url: address("e") });
    const edit = dub.links.update(link.id, { folderId: "fold_0" });
    await expect(edit).rejects.toBeInstanceOf(errors.NotFound);
  });
});

test("a folder is read by its id", async () => {
  const made = await call("POST", "/folders", { name: `Folder ${runSuffix}` });
  const read = await call("GET", `/folders/${made.body.id}`);
  expect([read.status, read.body]).toEqual([200, made.body]);
  expectError(await call("GET", "/folders/fold_0"), 404, "not_found", /Folder/);
  await call("DELETE", `/folders/${made.body.id}`);
});

describe("the QR code of a link", () => {
  test("names the short link as it is", async () => {
    const { qrCode, shortLink } = await makeLink({ url: address("qr") });
    expect(qrCode).toBe(`${apiUrl}/qr?url=${shortLink}?qr=1`);
  });

  test.each(["a+b", "a&b", "活动"])("names a link with %s", async (name) => {
    const key = `${name}-${runSuffix}`;
    const made = await create({ url: address("qr"), key });
    const { qrCode, shortLink } = made.body;
    expect(new URL(qrCode).searchParams.get("url")).toBe(`${shortLink}?qr=1`);
  });
});
