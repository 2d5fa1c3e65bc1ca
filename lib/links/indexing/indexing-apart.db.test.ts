import "../../../test/links-apart.ts";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { deleteLink, editLink } from "#lib/links/editing";
import { runIndexing } from "../../../test/indexing.ts";
import { keysOf, make } from "../../../test/links.ts";
import { keyTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { readSearchBounds } from "./index.ts";

openTestStores();

beforeAll(openLinks);

test("with links on several servers, links of keys are found by exact values, edited and deleted", async () => {
  const person = await makeTestScope("apart");
  const key = await keyTestScope(person);
  const bodies = [{ url: "https://example.com/apart", key: "exact" }];
  const [link] = await make(key, bodies, { source: "api", prefill: false });
  if (!link) throw new Error("no link");
  expect(await runIndexing()).toBe(0);
  await editLink(person, link.id, { title: "Walrus" });
  expect(await keysOf(person, { search: "walrus" })).toEqual([]);
  expect(await keysOf(person, { search: "exact" })).toEqual(["exact"]);
  expect(await readSearchBounds(person)).toEqual({ apiLinks: 0, recipients: false });
  await deleteLink(person, link.id);
  expect(await keysOf(person, { search: "exact" })).toEqual([]);
});
