/** Responses have a mask in place of a password. Sent back, it stands for the password of that link, and for no other. */
import { beforeAll, expect, test } from "vitest";
import { createLinks, createLinksInBulk, duplicateLink, openLinks } from "#lib/links/creating";
import { upsertLink } from "#lib/links/editing";
import { passwordMask as password } from "#lib/links/fields/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();

let scope: WorkspaceScope;
const url = (name: string) => `https://example.com/${name}`;
const options = { source: "api", prefill: false } as const;
const refusal = {
  code: "unprocessable_entity",
  message: "password: Replace ******** with the password, or remove it.",
};

beforeAll(async () => {
  await openLinks();
  scope = await makeTestScope("ada");
});

async function hashesOf(name: string): Promise<(string | null)[]> {
  const rows = await query<{ hash: string | null }>(
    sql`SELECT password_hash AS hash FROM link WHERE url = ${url(name)}`,
  );
  return rows.map(({ hash }) => hash);
}

test("a masked password creates no link, in a create, with reuse, in an upsert and in a bulk call", async () => {
  await expect(createLinks(scope, [{ url: url("a"), password }])).rejects.toMatchObject(refusal);
  const reused = { url: url("a"), password, reuse: true } as const;
  await expect(createLinks(scope, [reused])).rejects.toMatchObject(refusal);
  await expect(upsertLink(scope, { url: url("a"), password })).rejects.toMatchObject(refusal);
  const rows = await createLinksInBulk(scope, [{ url: url("a"), password }], options);
  expect(rows).toMatchObject([{ ok: false, message: refusal.message }]);
  expect(await hashesOf("a")).toEqual([]);
});

test("an upsert of an existing link with a masked password keeps the password", async () => {
  const created = await upsertLink(scope, { url: url("b"), password: "open sesame" });
  const before = await hashesOf("b");
  const again = await upsertLink(scope, { url: url("b"), password, title: "New" });
  expect([created, again]).toMatchObject([{ ok: true }, { ok: true, link: { title: "New" } }]);
  expect(before).toEqual([expect.any(String)]);
  expect(await hashesOf("b")).toEqual(before);
});

test("of simultaneous upserts, those with a masked password are refused or keep the password of the other", async () => {
  const calls = [password, "open sesame", password].map((one) =>
    upsertLink(scope, { url: url("c"), password: one }),
  );
  const results = await Promise.allSettled(calls);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject(refusal);
  }
  expect(await hashesOf("c")).toEqual([expect.any(String)]);
});

test("a copy of a link with a password has the same one", async () => {
  const [created] = await createLinks(scope, [{ url: url("d"), password: "open sesame" }]);
  if (!created?.ok) throw new Error(created?.message);
  expect(await duplicateLink(scope, created.link.id)).toMatchObject({ ok: true });
  const [first, second] = await hashesOf("d");
  expect(second).toBe(first);
});
