/** Domains through Dub's SDK and by raw HTTP, one block per status. */
import { randomBytes } from "node:crypto";
import { Dub } from "dub";
import * as errors from "dub/models/errors";
import { describe, expect, test } from "vitest";
import { apiKey, apiUrl, call, origin } from "../../test/contract-server.ts";
import { openApi } from "../../test/http-client.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });

/** The workspace is shared with other tests. Below localhost a domain is verified at once. */
function fresh(ending = "localhost"): string {
  return `d${randomBytes(4).toString("hex")}.${ending}`;
}

describe("the ICP number", () => {
  test("is a field only of domains that have one, and is removed with null", async () => {
    const slug = fresh();
    const icp = "京ICP备12345678号-1";
    const created = await call("POST", "/domains", { slug, icp });
    expect([created.status, created.body.icp]).toEqual([201, icp]);
    const pages = await dub.domains.list({ search: slug });
    for await (const page of pages) expect(page.result).toHaveLength(1);
    const wrong = await call("PATCH", `/domains/${slug}`, { icp: "12345678" });
    expect([wrong.status, wrong.body.error.message]).toEqual([
      422,
      "icp: Use a form such as 京ICP备12345678号-1.",
    ]);
    const removed = await call("PATCH", `/domains/${slug}`, { icp: null });
    expect([removed.status, "icp" in removed.body]).toEqual([200, false]);
  });
});

describe("the SDK", () => {
  test("adds, lists, changes and deletes a domain", async () => {
    const slug = fresh();
    const domain = await dub.domains.create({ slug, placeholder: "https://example.com/root" });
    expect(domain).toMatchObject({
      id: expect.stringMatching(/^dom_/),
      slug,
      verified: true,
      primary: false,
      archived: false,
      placeholder: "https://example.com/root",
      registeredDomain: null,
    });
    const pages = await dub.domains.list({ search: slug });
    for await (const page of pages) expect(page.result).toEqual([domain]);
    const changed = await dub.domains.update(slug, {
      expiredUrl: "https://example.com/over",
      assetLinks: "[]",
      placeholder: null,
    });
    expect(changed).toMatchObject({ assetLinks: "[]", placeholder: null });
    expect(await dub.domains.delete(slug)).toEqual({ slug });
    await expect(dub.domains.delete(slug)).rejects.toBeInstanceOf(errors.NotFound);
  });

  test("creates a link on a domain, which keeps the domain from being deleted", async () => {
    const slug = fresh();
    await dub.domains.create({ slug });
    const link = await dub.links.create({ url: "https://example.com", domain: slug, key: "a" });
    expect(link.domain).toBe(slug);
    await expect(dub.domains.delete(slug)).rejects.toBeInstanceOf(errors.Conflict);
    expect((await call("DELETE", `/domains/${slug}?links=delete`)).status).toBe(200);
    await expect(dub.links.get({ linkId: link.id })).rejects.toBeInstanceOf(errors.NotFound);
  });

  test("gets each error as the error class of the SDK", async () => {
    const slug = fresh();
    await dub.domains.create({ slug });
    await expect(dub.domains.create({ slug })).rejects.toBeInstanceOf(errors.Conflict);
    await expect(dub.domains.create({ slug: "x" })).rejects.toBeInstanceOf(
      errors.UnprocessableEntity,
    );
    await dub.domains.delete(slug);
  });
});

describe("200 and 201", () => {
  test("a domain has exactly the keys of the contract", async () => {
    const slug = fresh();
    const created = await call("POST", "/domains", { slug });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body).sort()).toEqual([
      "appleAppSiteAssociation",
      "archived",
      "assetLinks",
      "createdAt",
      "deepviewData",
      "expiredUrl",
      "id",
      "logo",
      "notFoundUrl",
      "placeholder",
      "primary",
      "registeredDomain",
      "slug",
      "updatedAt",
      "verified",
    ]);
    const found = await call("GET", `/domains/${slug.toUpperCase()}`);
    expect([found.status, found.body]).toEqual([200, created.body]);
    expect((await call("DELETE", `/domains/${slug}`)).body).toEqual({ slug });
  });

  test("a host in another script is stored in ASCII and reported as not verified", async () => {
    const slug = `${fresh("")}bücher.example`;
    const created = await call("POST", "/domains", { slug });
    expect(created.body["slug"]).toBe(slug.replace("bücher", "xn--bcher-kva"));
    expect(created.body["verified"]).toBe(false);
    const path = `/domains/${encodeURIComponent(slug)}`;
    const verified = await call("POST", `${path}/verify`);
    expect([verified.status, verified.body["verified"]]).toEqual([200, false]);
    expect(verified.body).toMatchObject({ state: "pending", problems: ["unsure"] });
    expect(verified.body["message"]).toContain("The DNS lookup for");
    const records = await call("GET", `${path}/verification`);
    expect(records.body).toMatchObject({
      records: [{ type: "TXT", name: `_fuxi.${created.body["slug"]}`, ok: null }],
    });
    expect((await call("PUT", `${path}/primary`)).status).toBe(422);
    expect((await call("DELETE", path)).status).toBe(200);
  });

  test("a field that a newer SDK sends is ignored and named", async () => {
    const slug = fresh();
    const created = await call("POST", "/domains", { slug, theme: "dark" });
    expect([created.status, created.headers["x-fuxi-ignored"]]).toEqual([201, "theme"]);
    await call("DELETE", `/domains/${slug}`);
  });
});

const operations = [
  ["GET", "/domains"],
  ["POST", "/domains"],
  ["GET", "/domains/a.example"],
  ["PATCH", "/domains/a.example"],
  ["DELETE", "/domains/a.example"],
  ["POST", "/domains/a.example/verify"],
  ["GET", "/domains/a.example/verification"],
  ["PUT", "/domains/a.example/primary"],
  ["DELETE", "/domains/a.example/primary"],
] as const;

describe("401", () => {
  test.each(operations)("%s %s without a key", async (method, path) => {
    const answer = await openApi(origin)(method, path, undefined);
    expect([answer.status, answer.body.error?.code]).toEqual([401, "unauthorized"]);
  });
});

describe("404", () => {
  test.each(operations.filter(([, path]) => path.includes("a.example")))(
    "%s %s of a domain that the workspace does not have",
    async (method, path) => {
      const answer = await call(method, path, method === "PATCH" ? {} : undefined);
      expect([answer.status, answer.body.error?.code]).toEqual([404, "not_found"]);
      expect(answer.body.error?.message).toContain("a.example");
    },
  );
});

describe("409", () => {
  test("a host that the workspace has already, also as the new name of another domain", async () => {
    const [slug, other] = [fresh(), fresh()];
    await call("POST", "/domains", { slug });
    await call("POST", "/domains", { slug: other });
    expect((await call("POST", "/domains", { slug: slug.toUpperCase() })).status).toBe(409);
    const renamed = await call("PATCH", `/domains/${other}`, { slug });
    expect([renamed.status, renamed.body.error?.code]).toEqual([409, "conflict"]);
    for (const name of [slug, other]) await call("DELETE", `/domains/${name}`);
  });
});

describe("422", () => {
  test.each([
    [{}, "slug"],
    [{ slug: 3 }, "slug"],
    [{ slug: "https://go.example.com" }, "slug"],
    [{ slug: "127.0.0.1" }, "slug"],
    [{ slug: "localhost" }, "slug"],
    [{ slug: "go.example.com." }, "slug"],
    [{ slug: "a.example", placeholder: "javascript:alert(1)" }, "placeholder"],
    [{ slug: "a.example", notFoundUrl: "ftp://example.com" }, "notFoundUrl"],
    [{ slug: "a.example", expiredUrl: "data:text/html,x" }, "expiredUrl"],
    [{ slug: "a.example", logo: "http://example.com/x.png" }, "logo"],
    [{ slug: "a.example", assetLinks: "{}" }, "assetLinks"],
    [{ slug: "a.example", appleAppSiteAssociation: "x" }, "appleAppSiteAssociation"],
    [{ slug: "a.example", archived: "yes" }, "archived"],
  ])("POST /domains %j names the field", async (body, field) => {
    const answer = await call("POST", "/domains", body);
    expect([answer.status, answer.body.error?.code]).toEqual([422, "unprocessable_entity"]);
    expect(answer.body.error?.message).toContain(field);
  });

  test.each(["pageSize=101", "pageSize=0", "page=1001", "archived=maybe"])(
    "GET /domains?%s",
    async (query) => {
      expect((await call("GET", `/domains?${query}`)).status).toBe(422);
    },
  );

  test("a DELETE that says neither keep nor delete", async () => {
    expect((await call("DELETE", "/domains/a.example?links=move")).status).toBe(422);
  });
});
