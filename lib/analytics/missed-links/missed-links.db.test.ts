import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { createLinks, openLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countMissedLinks, exportMissedLinks, listMissedLinks } from "./index.ts";
import { listMissedQuery, missedDaysMax, missedPeriodQuery } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let member: WorkspaceScope;
let eve: WorkspaceScope;
const pks = new Map<string, number>();

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  member = await joinTestScope(ada, "member", "member");
  eve = await makeTestScope("eve");
  await addDomain(ada, "one.example");
  await addDomain(ada, "two.example");
  await addDomain(eve, "eve.example");
});

async function addDomain({ workspacePk }: WorkspaceScope, slug: string) {
  const [row] = await query<{ pk: number }>(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${workspacePk}, ${slug}, now())
    RETURNING pk`);
  pks.set(slug, row?.pk ?? 0);
}

interface Missed {
  key: string;
  visits: number;
  error?: number;
  daysAgo?: number;
}

async function miss(
  scope: WorkspaceScope,
  host: string,
  { key, visits, error, daysAgo = 0 }: Missed,
) {
  const day = new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  const place = [pks.get(host), day, scope.workspacePk];
  await query({
    text: `
      INSERT INTO missed_day AS own (domain_pk, day, workspace_pk, visits, others, bots, keys)
      VALUES ($1, $2, $3, $4 + 1, 1, 2, 1)
      ON CONFLICT (domain_pk, day, workspace_pk) DO UPDATE SET visits = own.visits + $4`,
    values: [...place, visits],
  });
  await query({
    text: `
      INSERT INTO missed_link (domain_pk, day, workspace_pk, key, visits, error, last_at)
      VALUES ($1, $2, $3, $4, $5, $6, $2::date + interval '1 hour')`,
    values: [...place, key, visits, error ?? null],
  });
}

const list = async (scope: WorkspaceScope, asked: object = {}) =>
  (await listMissedLinks(scope, listMissedQuery.parse(asked))).map(
    ({ domain, key, visits, atLeast, suggestion }) => [
      `${domain}/${key}`,
      visits,
      atLeast,
      suggestion?.key ?? null,
    ],
  );

async function clear() {
  await query(sql`DELETE FROM missed_day`);
}

async function make(scope: WorkspaceScope, key: string, more: object = {}) {
  const url = `https://example.com/${key}`;
  const [made] = await createLinks(scope, [{ url, key, domain: "one.example", ...more }]);
  if (!made?.ok) throw new Error(made?.message);
  return made.link;
}

test("visits of a period are added up by slug, most visited first, with what is certain", async () => {
  await clear();
  await miss(ada, "one.example", { key: "qqqq", visits: 3 });
  await miss(ada, "one.example", { key: "qqqq", visits: 4, error: 2, daysAgo: 6 });
  await miss(ada, "two.example", { key: "wwww", visits: 9, daysAgo: 7 });
  expect(await list(ada, { days: 8 })).toEqual([
    ["two.example/wwww", 9, 9, null],
    ["one.example/qqqq", 7, 5, null],
  ]);
  expect(await list(ada, { days: 7 })).toEqual([["one.example/qqqq", 7, 5, null]]);
  expect(await list(ada, { domain: "two.example" })).toEqual([["two.example/wwww", 9, 9, null]]);
  expect(await list(ada, { page: 2, pageSize: 1 })).toEqual([["one.example/qqqq", 7, 5, null]]);
  expect(await countMissedLinks(ada, missedPeriodQuery.parse({}))).toEqual({
    ...{ links: 2, visits: 19, others: 3, bots: 6 },
  });
});

test("periods have 1 to the longest number of days, and pages at most 100 rows", () => {
  const isValid = (asked: object) => listMissedQuery.safeParse(asked).success;
  const given = [{ days: 1 }, { days: missedDaysMax }, { pageSize: 100 }].map(isValid);
  const refused = [{ days: 0 }, { days: missedDaysMax + 1 }, { pageSize: 101 }].map(isValid);
  expect([given, refused]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});

test("nobody sees misses of another workspace, also not those from before a domain was transferred", async () => {
  await clear();
  await miss(ada, "one.example", { key: "ours", visits: 1 });
  // The domain belonged to another workspace on that day.
  await miss(eve, "one.example", { key: "theirs", visits: 1 });
  await miss(eve, "eve.example", { key: "eves", visits: 1 });
  expect(await list(ada)).toEqual([["one.example/ours", 1, 1, null]]);
  expect(await list(eve)).toEqual([["eve.example/eves", 1, 1, null]]);
  expect(await list(eve, { domain: "one.example" })).toEqual([]);
  expect((await countMissedLinks(ada, missedPeriodQuery.parse({}))).links).toBe(1);
});

test("a key limited to domains sees only theirs, and a key limited to folders sees none", async () => {
  await clear();
  await miss(ada, "one.example", { key: "a", visits: 1 });
  await miss(ada, "two.example", { key: "b", visits: 1 });
  const domains = [{ pk: pks.get("two.example") ?? 0, slug: "two.example" }];
  expect(await list({ ...ada, reach: { domains, folderPks: null } })).toEqual([
    ["two.example/b", 1, 1, null],
  ]);
  expect(await list({ ...ada, reach: { domains: null, folderPks: [1] } })).toEqual([]);
});

test("misses need the permission to read analytics", async () => {
  const without = { ...ada, permissions: new Set<never>() };
  await expect(list(without)).rejects.toMatchObject({ code: "forbidden" });
  const period = missedPeriodQuery.parse({});
  await expect(countMissedLinks(without, period)).rejects.toMatchObject({ code: "forbidden" });
  await expect(exportMissedLinks(without, period)).rejects.toMatchObject({ code: "forbidden" });
});

test("the most similar chosen slug of the domain is suggested: typos, case and trailing punctuation", async () => {
  await clear();
  await make(ada, "summer-sale");
  await make(ada, "SPRING");
  await make(ada, "abc");
  await make(ada, "autumn", { domain: "two.example" });
  const expected = {
    "sumer-sale": "summer-sale",
    "summer-sale).": "summer-sale",
    "Summer-Slae": "summer-sale",
    spring: "SPRING",
    abd: "abc",
    // Too different, or on another domain.
    "winter-sale": null,
    axy: null,
    autum: null,
  };
  for (const key of Object.keys(expected)) await miss(ada, "one.example", { key, visits: 1 });
  const rows = await list(ada);
  expect(
    Object.fromEntries(rows.map(([name, , , key]) => [String(name).split("/")[1], key])),
  ).toEqual(expected);
});

test("a slug that exists by now names its own link, also one with a generated code", async () => {
  await clear();
  await make(ada, "posters");
  await make(ada, "poster");
  const [made] = await createLinks(ada, [{ url: "https://example.com/", domain: "one.example" }]);
  const code = made?.ok ? made.link.key : "";
  await miss(ada, "one.example", { key: "poster", visits: 2 });
  await miss(ada, "one.example", { key: code, visits: 1 });
  expect(await list(ada)).toEqual([
    ["one.example/poster", 2, 2, "poster"],
    [`one.example/${code}`, 1, 1, code],
  ]);
});

test("links in folders that the reader may not open are not suggested", async () => {
  await clear();
  const body = createFolderBody.parse({ name: "Closed", accessLevel: null });
  const { id: folderId } = await createFolder(ada, body);
  await make(ada, "confidential", { folderId });
  await miss(ada, "one.example", { key: "confidentail", visits: 1 });
  expect(await list(ada)).toEqual([["one.example/confidentail", 1, 1, "confidential"]]);
  expect(await list(member)).toEqual([["one.example/confidentail", 1, 1, null]]);
});

test("the file has all rows, with the suggested short link", async () => {
  await clear();
  await make(ada, "brochure");
  await miss(ada, "one.example", { key: "brochur", visits: 2 });
  await miss(ada, "two.example", { key: "=1+1", visits: 1 });
  const chunks: Uint8Array[] = [];
  const file = await exportMissedLinks(ada, missedPeriodQuery.parse({}));
  await file.send(async (bytes) => void chunks.push(bytes));
  const text = Buffer.concat(chunks).toString();
  const [head, ...lines] = text.trimEnd().split("\r\n");
  expect(head).toContain("domain,key,visits,atLeast,lastAt,suggestion");
  expect(lines[0]).toMatch(/^one\.example,brochur,2,2,.*\/\/one\.example.*\/brochure$/);
  expect(lines[1]).toMatch(/^two\.example,'=1\+1,1,1,/);
});
