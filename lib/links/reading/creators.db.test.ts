import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { listCreators } from "./index.ts";

openTestStores();

beforeAll(openLinks);

test("a list has the creators of its links, and nothing of links of other workspaces", async () => {
  const scope = await makeTestScope("creators");
  const joined = await joinTestScope(scope, "second", "admin");
  const other = await makeTestScope("foreign");
  const [own] = await make(scope, [{ url: "https://example.com/own" }]);
  const [theirs] = await make(joined, [{ url: "https://example.com/theirs" }]);
  const [foreign] = await make(other, [{ url: "https://example.com/foreign" }]);
  const ids = [own, theirs, foreign].map((link) => link?.id ?? "");
  const { apiKey } = await createApiKey(joined, { name: "Zapier" });
  const { apiKey: foreignKey } = await createApiKey(other, { name: "Theirs" });
  const use = (keyId: string, url: string) =>
    query(sql`
      UPDATE link
      SET api_key_pk = (SELECT pk FROM api_key WHERE id = ${keyId})
      WHERE url = ${url}`);
  await use(apiKey.id, "https://example.com/theirs");
  expect(await listCreators(scope, [...ids, "nonsense"])).toEqual(
    new Map([
      [ids[0], { name: "creators", byKey: false, key: null }],
      [ids[1], { name: "second", byKey: true, key: { id: apiKey.id, name: "Zapier" } }],
    ]),
  );
  await use(foreignKey.id, "https://example.com/theirs");
  const moved = await listCreators(scope, ids);
  expect(moved.get(String(ids[1]))).toEqual({ name: "second", byKey: true, key: null });
});
