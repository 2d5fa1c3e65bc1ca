import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { targetEntry } from "#lib/links/link-cache";
import { Connection, pool, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { loadTargets } from "./links.ts";

openTestStores();

let scope: WorkspaceScope;
let domainPk: number;

beforeAll(async () => {
  scope = await makeTestScope("targets");
  await openLinks();
  const [domain] = await query<{ pk: number }>(
    sql`SELECT pk FROM domain WHERE slug = 'localhost' AND workspace_pk IS NULL`,
  );
  domainPk = domain?.pk ?? 0;
});

const entryOf = (key = "") => targetEntry(domainPk, key);

/** With these keys, or codes where there is none. */
function makeLinks(keys: (string | undefined)[]) {
  const bodies = keys.map((key, at) => ({ url: `https://to.example/${at}`, ...(key && { key }) }));
  return make(scope, bodies);
}

test("codes and names are loaded together, and only those that exist on the domain", async () => {
  const links = await makeLinks([undefined, "spring", undefined, "Grüße"]);
  const entries = links.map(({ key }) => entryOf(key));
  const loaded = await loadTargets([...entries, ...["zzzzzz", "missing", "x/y"].map(entryOf)]);
  expect([...loaded].map(([entry, { value }]) => [entry, value?.url]).sort()).toEqual(
    links.map(({ url }, at) => [entries[at], url]).sort(),
  );
  const elsewhere = links.map(({ key }) => targetEntry(domainPk + 1, key));
  expect((await loadTargets(elsewhere)).size).toBe(0);
});

test("a link that was renamed is found by its name, and no longer by its code", async () => {
  const [renamed, other] = await makeLinks([undefined, undefined]);
  const code = renamed?.key;
  await query(sql`
    INSERT INTO alias (domain_pk, key, link_pk)
    SELECT domain_pk, 'renamed', pk FROM link WHERE key = ${code}`);
  await query(sql`UPDATE link SET key = 'renamed' WHERE key = ${code}`);
  const loaded = await loadTargets([code, "renamed", other?.key].map(entryOf));
  const found = [...loaded].map(([entry, { value }]) => [entry, value?.url]);
  expect(found.sort()).toEqual(
    [
      [entryOf("renamed"), renamed?.url],
      [entryOf(other?.key), other?.url],
    ].sort(),
  );
});

// Citus plans each statement for the servers of its links.
test.skipIf(process.env["TEST_CITUS_URL"])(
  "PostgreSQL keeps the plans, however many links are read",
  async () => {
    for (let thousands = 0; thousands < 10; thousands++)
      await makeLinks(Array.from({ length: 1_000 }, () => undefined));
    const links = await makeLinks(
      Array.from({ length: 40 }, (_, at) => (at < 20 ? undefined : `named${at}`)),
    );
    const entries = links.map(({ key }) => entryOf(key));
    // Without statistics it expects to read the whole table.
    await query(sql`ANALYZE link`);
    const connection = await pool().connect();
    try {
      // A connection plans the first five anew, whatever they cost.
      for (let times = 0; times < 30; times++) {
        const few = 1 + (times % 4);
        const asked = [...entries.slice(0, few), ...entries.slice(20, 20 + few)];
        expect((await loadTargets(asked, new Connection(connection))).size).toBe(2 * few);
      }
      const { rows } = await connection.query<{ name: string; planned: number; kept: boolean }>(`
      SELECT name, custom_plans::int AS planned, generic_plans >= 25 AS kept
      FROM pg_prepared_statements
      WHERE name IN ('redirect-links', 'redirect-links-named')
      ORDER BY name`);
      expect(rows).toEqual([
        { name: "redirect-links", planned: 5, kept: true },
        { name: "redirect-links-named", planned: 5, kept: true },
      ]);
    } finally {
      connection.release();
    }
  },
);
