import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { listCreators } from "./creators.ts";

openTestStores();

beforeAll(openLinks);

test("a list has the creators of its links, and nothing of links of other workspaces", async () => {
  const scope = await makeTestScope("creators");
  const joined = await joinTestScope(scope, "second", "member");
  const other = await makeTestScope("foreign");
  const [own] = await make(scope, [{ url: "https://example.com/own" }]);
  const [theirs] = await make(joined, [{ url: "https://example.com/theirs" }]);
  const [foreign] = await make(other, [{ url: "https://example.com/foreign" }]);
  const ids = [own, theirs, foreign].map((link) => link?.id ?? "");
  await query(sql`
    UPDATE link
    SET api_key_pk = 1
    WHERE url = 'https://example.com/theirs'`);
  expect(await listCreators(scope, [...ids, "nonsense"])).toEqual(
    new Map([
      [ids[0], { name: "creators", byKey: false }],
      [ids[1], { name: "second", byKey: true }],
    ]),
  );
});
