import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { findAuditEntries } from "#lib/tenancy/audit";
import type { OperatorScope } from "#lib/tenancy/operators";
import { list, make } from "../../../test/links.ts";
import { makeTestOperator } from "../../../test/operators.ts";
import { keyTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { disableLink, listOfficeLinks } from "./index.ts";
import { officeLinksMax, officeLinksQuery } from "./schema.ts";
import { readWanted } from "./walk.ts";

openTestStores();

let operator: OperatorScope;
let ada: WorkspaceScope;
let eve: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  ({ operator } = await makeTestOperator("root"));
});

function find(destination: string, more: Record<string, unknown> = {}) {
  return listOfficeLinks(operator, officeLinksQuery.parse({ destination, ...more }));
}

async function urlsOf(destination: string): Promise<string[]> {
  const { links } = await find(destination);
  return links.map(({ url }) => url).toSorted();
}

test("a host finds links of all workspaces to it and its subdomains, also those of API keys and in rules", async () => {
  const key = await keyTestScope(eve);
  await make(ada, [
    { url: "https://evil.example/one" },
    { url: "https://login.Evil.example/two" },
    { url: "https://harmless.example/?to=evil.example" },
    { url: "https://notevil.example/" },
    { url: "https://harmless.example/shop", geo: { DE: "https://evil.example/de" } },
  ]);
  await make(key, [{ url: "https://evil.example/api" }]);
  const urls = [
    "https://evil.example/api",
    "https://evil.example/one",
    "https://harmless.example/shop",
    "https://login.Evil.example/two",
  ];
  for (const text of ["evil.example", "https://EVIL.example", "*.evil.example", "evil.example:443"])
    expect([text, (await urlsOf(text)).map((url) => url.toLowerCase())]).toEqual([
      text,
      urls.map((url) => url.toLowerCase()),
    ]);
  const { links, next } = await find("evil.example");
  expect(next).toBeNull();
  expect(new Set(links.map(({ workspace }) => workspace.slug))).toEqual(
    new Set(["ada-space", "eve-space"]),
  );
  expect(links[0]).toMatchObject({ state: "active", createdAt: expect.any(String) });
});

test("the beginning of a URL finds what continues it, and a host with a slash no subdomain", async () => {
  await make(ada, [
    { url: "https://shop.example/Login?a=1" },
    { url: "http://shop.example/login/2" },
    { url: "https://www.shop.example/login" },
    { url: "https://shop.example/other/login" },
  ]);
  expect(await urlsOf("https://shop.example/login")).toHaveLength(2);
  expect(await urlsOf("shop.example/login?a")).toEqual(["https://shop.example/Login?a=1"]);
  expect(await urlsOf("shop.example/")).toHaveLength(3);
  expect(await urlsOf("shop.example")).toHaveLength(4);
  expect(await urlsOf("shop.example/%")).toEqual([]);
});

test("a host is found in both of its spellings", () => {
  for (const text of ["bücher.example", "xn--bcher-kva.example"]) {
    const { matches } = readWanted(text);
    expect([matches("https://bücher.example/"), matches("https://xn--bcher-kva.example/")]).toEqual(
      [true, true],
    );
  }
});

test("a page has a bounded number of links, and the next ones continue it", async () => {
  const bodies = Array.from({ length: officeLinksMax + 1 }, (_, at) => ({
    url: `https://many.example/${at}`,
  }));
  await make(ada, bodies.slice(1));
  expect(await find("many.example")).toMatchObject({ next: null });
  await make(ada, bodies.slice(0, 1));
  const first = await find("many.example");
  expect(first.links).toHaveLength(officeLinksMax);
  const rest = await find("many.example", { startingAfter: first.next });
  expect(rest.links).toHaveLength(1);
  expect(rest.next).toBeNull();
  const ids = [...first.links, ...rest.links].map(({ id }) => id);
  expect(new Set(ids).size).toBe(officeLinksMax + 1);
});

test("without a destination every link is listed, and a date leaves out older ones", async () => {
  const [old] = await make(ada, [{ url: "https://old.example/" }]);
  await query(sql`
    UPDATE link SET created_at = '2026-01-31T23:59:59Z'
    WHERE workspace_pk = ${ada.workspacePk} AND url = 'https://old.example/'`);
  expect((await find("")).links).toHaveLength(officeLinksMax);
  expect((await find("old.example", { from: "2026-01-31" })).links[0]?.id).toBe(old?.id);
  expect((await find("old.example", { from: "2026-02-01" })).links).toEqual([]);
});

test("a search is recorded in the workspaces of its results and in no other", async () => {
  const looks = async ({ workspacePk }: WorkspaceScope) =>
    (await findAuditEntries(workspacePk, { action: "operator.find", size: 100 })).length;
  await make(ada, [{ url: "https://seen.example/1" }, { url: "https://seen.example/2" }]);
  const before = [await looks(ada), await looks(eve)];
  await find("seen.example");
  expect([await looks(ada), await looks(eve)]).toEqual([(before[0] ?? 0) + 1, before[1]]);
});

test("the list without a search is recorded as viewed, and not as a search for nothing", async () => {
  const last = async () => {
    const [entry] = await query<{ action: string; details: object }>(sql`
      SELECT action, details FROM audit WHERE workspace_pk IS NULL ORDER BY at DESC, id DESC LIMIT 1`);
    return entry;
  };
  await find("");
  expect(await last()).toEqual({ action: "operator.view", details: { viewed: "links" } });
  await find("seen.example");
  expect(await last()).toEqual({ action: "operator.find", details: { text: "seen.example" } });
});

test("a link is turned off once, with its reason in the audit log of its workspace", async () => {
  const [link] = await make(ada, [{ url: "https://off.example/" }]);
  const id = link?.id ?? "";
  await disableLink(operator, id, "Phishing");
  expect((await list(ada, { search: "off.example" }))[0]?.disabledAt).not.toBeNull();
  expect((await find("off.example")).links).toMatchObject([{ id, state: "disabled" }]);
  await expect(disableLink(operator, id, "Phishing")).rejects.toMatchObject({
    problem: { code: "link_off" },
  });
  await expect(
    disableLink(operator, "link_00000000000000000000000000", "Phishing"),
  ).rejects.toMatchObject({ code: "not_found" });
  const entries = await findAuditEntries(ada.workspacePk, {
    action: "operator.disable_link",
    size: 10,
  });
  expect(entries).toMatchObject([{ subject: id, details: { reason: "Phishing" } }]);
});
