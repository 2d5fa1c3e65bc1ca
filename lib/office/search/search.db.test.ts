import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { codeOfPk, pkOfCode } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { OperatorScope } from "#lib/tenancy/operators";
import { make } from "../../../test/links.ts";
import { makeTestOperator } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { searchOffice } from "./index.ts";
import { searchText } from "./schema.ts";

openTestStores();

const url = "https://example.com/found";
let operator: OperatorScope;
let ada: WorkspaceScope;
let eve: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  ({ operator } = await makeTestOperator("root"));
});

async function looksAt({ workspacePk }: WorkspaceScope): Promise<number> {
  const rows = await query(
    sql`SELECT id FROM audit WHERE workspace_pk = ${workspacePk} AND action = 'operator.find'`,
  );
  return rows.length;
}

test("a link is found by its short link, its code, its slug and its id, in any workspace", async () => {
  const [generated, chosen] = await make(ada, [{ url }, { url, key: "autumn-sale" }]);
  if (!generated || !chosen) throw new Error("No links");
  const texts = [
    generated.shortLink,
    `${generated.shortLink}?utm_source=x`,
    generated.key,
    generated.id,
  ];
  for (const text of texts) {
    const { links } = await searchOffice(operator, text);
    expect([text, links.map(({ id }) => id)]).toEqual([text, [generated.id]]);
  }
  for (const text of [chosen.shortLink, "autumn-sale", chosen.id]) {
    const { links } = await searchOffice(operator, text);
    expect([text, links.map(({ id }) => id)]).toEqual([text, [chosen.id]]);
    expect(links[0]).toMatchObject({ url, state: "active", workspace: { id: ada.workspaceId } });
  }
  expect((await searchOffice(operator, "elsewhere.example/autumn-sale")).links).toEqual([]);
});

test("a code shows its pk and whether it is in use, deleted, unused, reserved or not issued", async () => {
  const [link] = await make(ada, [{ url }]);
  const key = link?.key ?? "";
  const codeOf = async (text: string) => (await searchOffice(operator, text)).codes[0];
  expect(await codeOf(key)).toEqual({
    code: key,
    pk: pkOfCode(key),
    state: "in_use",
    recycled: false,
    link: link?.id,
  });
  expect(await codeOf(codeOfPk(40_000_000_000))).toMatchObject({ state: "not_issued", link: null });
  const unused = codeOfPk((pkOfCode(key) ?? 0) + 20_000);
  expect(await codeOf(unused)).toMatchObject({ state: "unused" });
  await createLinks(ada, [{ url, key: "Abcdef" }]);
  expect(await codeOf("Abcdef")).toMatchObject({ state: "reserved" });
  await query(sql`UPDATE link SET retired_at = now() WHERE pk = ${pkOfCode(key)}`);
  expect((await searchOffice(operator, key)).links[0]?.state).toBe("retired");
  await query(sql`
    INSERT INTO recycled_code (pk, domain_pk, ready_at)
    SELECT ${pkOfCode(unused)}, pk, now() FROM domain LIMIT 1`);
  expect(await codeOf(unused)).toMatchObject({ state: "deleted", recycled: true });
  expect(await codeOf("not a code")).toBeUndefined();
});

test("domains, workspaces and people are found by the beginning of a name, exact ones first", async () => {
  await createDomain(ada, createDomainBody.parse({ slug: "go.ada.example" }));
  await makeTestScope("adalbert");
  const found = await searchOffice(operator, "ada");
  expect(found.workspaces.map(({ slug }) => slug)).toEqual(["ada-space", "adalbert-space"]);
  expect(found.people.map(({ name }) => name)).toEqual(["ada", "adalbert"]);
  const { domains } = await searchOffice(operator, "GO.ada");
  expect(domains).toMatchObject([
    { slug: "go.ada.example", verified: false, workspace: { slug: "ada-space" } },
  ]);
  expect((await searchOffice(operator, "ADA@example.com")).people).toHaveLength(1);
  expect((await searchOffice(operator, String(ada.userId))).people).toMatchObject([
    { name: "ada" },
  ]);
  expect((await searchOffice(operator, ada.workspaceId)).workspaces).toHaveLength(1);
});

test("% and _ stand for themselves", async () => {
  for (const text of ["%", "_da", "a%"]) {
    const { workspaces, people } = await searchOffice(operator, text);
    expect([workspaces, people]).toEqual([[], []]);
  }
});

test("exactly the workspaces of the results have an entry about a search", async () => {
  const [link] = await make(eve, [{ url }]);
  const [before, others] = [await looksAt(eve), await looksAt(ada)];
  await searchOffice(operator, link?.key ?? "");
  expect([await looksAt(eve), await looksAt(ada)]).toEqual([before + 1, others]);
  const [last] = await query(sql`
    SELECT details FROM audit
    WHERE workspace_pk IS NULL AND action = 'operator.find'
    ORDER BY id DESC LIMIT 1`);
  expect(last).toEqual({ details: { text: link?.key } });
});

test("a search has 1 to 2,048 characters", () => {
  expect(searchText.safeParse("a".repeat(2_048)).success).toBe(true);
  expect(searchText.safeParse("a".repeat(2_049)).success).toBe(false);
  expect(searchText.safeParse("  ").success).toBe(false);
});
