import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { deleteLink, editLink } from "#lib/links/editing";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

const clients = 20;

openTestStores();

let scope: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  scope = await makeTestScope("external");
});

/** The id of a new link, or why there is none. */
async function create(externalId: string, at = 0, of = scope): Promise<string> {
  const body = createLinkBody.parse({ url: `https://example.com/${externalId}/${at}`, externalId });
  const [outcome] = await createLinks(of, [body]);
  if (!outcome) throw new Error("No outcome");
  return outcome.ok ? outcome.link.id : outcome.code;
}

test("of clients that ask for one external id at once, one gets it", async () => {
  const created = await Promise.all(Array.from({ length: clients }, (_, at) => create("one", at)));
  expect(created.filter((id) => id === "external_id_taken")).toHaveLength(clients - 1);
  const other = await makeTestScope("external-other");
  expect(await create("one", 0, other)).toMatch(/^link_/);
});

test("of links that are changed to one external id at once, one gets it", async () => {
  const ids = await Promise.all(Array.from({ length: clients }, (_, at) => create(`own-${at}`)));
  const changed = await Promise.all(
    ids.map((id) => editLink(scope, id, editLinkBody.parse({ externalId: "common" }))),
  );
  expect(changed.filter(({ ok }) => ok)).toHaveLength(1);
  // The others kept theirs, and that one gave up its own.
  const again = await Promise.all(ids.map((_, at) => create(`own-${at}`)));
  expect(again.filter((id) => id === "external_id_taken")).toHaveLength(clients - 1);
});

test("the external id of a deleted link is free", async () => {
  const id = await create("deleted");
  expect(await create("deleted", 1)).toBe("external_id_taken");
  await deleteLink(scope, id);
  expect(await create("deleted", 2)).toMatch(/^link_/);
});
