/** Lists of destinations over HTTP, and what they refuse. The workspace is shared: only hosts of this file are blocked. */
import { describe, expect, test } from "vitest";
import {
  address,
  call,
  create,
  expectError,
  makeLink,
  runSuffix,
} from "../../test/contract-server.ts";

const host = `blocked-${runSuffix}.example`;
const block = (body: object) => call("PATCH", "/destinations", { kind: "block", ...body });

describe("200", () => {
  test("entries are added and removed, and both lists are returned", async () => {
    const entries = [`${host}/shop`, `*.${host}`];
    const changed = await block({ add: [`*.${host.toUpperCase()}`, `${host}/shop/`] });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ kind: "block", active: true, source: null });
    expect(changed.body.entries).toEqual(expect.arrayContaining(entries));
    const { body } = await call("GET", "/destinations");
    expect(body.block.entries).toEqual(expect.arrayContaining(entries));
    expect(body).toMatchObject({
      allow: { kind: "allow", active: false, entries: [], problem: null },
      instance: { allow: false, block: false },
    });
    const { body: removed } = await block({ remove: entries });
    expect(removed.entries).not.toEqual(expect.arrayContaining([entries[0]]));
  });

  test("existing links are reported, and keep working", async () => {
    const link = await makeLink({ url: `https://old-${host}/` });
    await block({ add: [`old-${host}`] });
    const { body } = await call("GET", "/destinations/refused");
    expect(body.links).toContainEqual({
      id: link.id,
      shortLink: link.shortLink,
      host: `old-${host}`,
      list: "block",
      owner: "workspace",
    });
    const visit = await fetch(link.shortLink, { redirect: "manual" });
    expect([visit.status, visit.headers.get("location")]).toEqual([302, `https://old-${host}/`]);
    await block({ remove: [`old-${host}`] });
  });

  test("reading a list without a source changes nothing", async () => {
    const { status, body } = await call("POST", "/destinations/poll", { kind: "allow" });
    expect([status, body.source, body.problem]).toEqual([200, null, null]);
  });
});

describe("422", () => {
  test("a refused destination names the host and the list, in a create, an edit and a bulk create", async () => {
    await block({ add: [host] });
    const words = new RegExp(`^${host} is on the block list of this workspace\\.`);
    const created = await create({ url: `https://${host}/` });
    expectError(created, 422, "unprocessable_entity", words);
    expect(created.body.error.problem).toEqual({
      code: "destination_refused",
      params: { host, list: "block", owner: "workspace" },
    });
    const link = await makeLink({ url: address("mine") });
    const edited = await call("PATCH", `/links/${link.id}`, { ios: `https://${host}/` });
    expectError(edited, 422, "unprocessable_entity", words);
    const bulk = await call("POST", "/links/bulk", [{ url: `https://${host}/` }]);
    expect(bulk.body[0]).toMatchObject({ code: "unprocessable_entity" });
    expect(bulk.body[0].error).toMatch(words);
    await block({ remove: [host] });
    expect((await create({ url: `https://${host}/` })).status).toBe(200);
  });

  test("a malformed entry says what to change", async () => {
    const answer = await block({ add: [`https://${host}`] });
    expectError(answer, 422, "unprocessable_entity", /starts with a scheme\. Remove it/);
    expect(answer.body.error.problem.code).toBe("entry_scheme");
  });

  test("a source must have an https URL and be readable", async () => {
    const insecure = await block({ source: "ftp://example.com/list.json" });
    expectError(insecure, 422, "unprocessable_entity", /starts with https/);
    const away = await block({ source: "https://missing.invalid/list.json" });
    expectError(away, 422, "unprocessable_entity", /Can’t reach this URL/);
  });

  test("unknown kinds and fields are refused", async () => {
    const kind = await call("PATCH", "/destinations", { kind: "deny", add: [] });
    expectError(kind, 422, "unprocessable_entity", /kind/);
    expectError(await block({ hosts: [] }), 422, "unprocessable_entity", /hosts/);
  });
});
