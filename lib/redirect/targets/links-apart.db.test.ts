import "../../../test/links-apart.ts";
import { expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { targetEntry } from "#lib/links/link-cache";
import { Connection, pool, query, type Statement, sql } from "#lib/platform/postgres";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { loadTargets } from "./links.ts";

openTestStores();

test("a link that is renamed between its two lookups is not found by the former name", async () => {
  const scope = await makeTestScope("renaming");
  await openLinks();
  const [outcome] = await createLinks(scope, [{ url: "https://to.example/", key: "former" }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const [alias] = await query<{ domain_pk: number }>(
    sql`SELECT domain_pk FROM alias WHERE key = 'former'`,
  );
  const entry = targetEntry(alias?.domain_pk ?? 0, "former");
  expect([...(await loadTargets([entry])).keys()]).toEqual([entry]);
  const renaming = new Connection(pool());
  renaming.query = async <Row>(statement: Statement) => {
    const rows = await query<Row>(statement);
    if (statement.name === "redirect-names")
      await query(sql`UPDATE link SET key = 'latter' WHERE key = 'former'`);
    return rows;
  };
  expect((await loadTargets([entry], renaming)).size).toBe(0);
});
