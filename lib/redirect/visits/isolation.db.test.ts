import { beforeAll, expect, test } from "vitest";
import { createLinks } from "#lib/links/creating";
import { hostEntry } from "#lib/links/link-cache";
import { publishChanges } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const { ask, scope } = openTestVisits("isolation");

const key = "same-name";
let other: WorkspaceScope;

async function addDomain(
  actor: WorkspaceScope,
  slug: string,
  more: { folded?: boolean } = {},
): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at, case_insensitive, revision)
    VALUES (
      ${`${slug}-${actor.workspacePk}`}, ${actor.workspacePk}, ${slug}, now(), ${more.folded ?? false}, nextval('revision')
    )`);
}

async function change(slug: string, statement: ReturnType<typeof sql>): Promise<void> {
  await query(statement);
  const [row] = await query<{ revision: number }>(sql`SELECT nextval('revision') AS revision`);
  await publishChanges([{ entry: hostEntry(slug), revision: Number(row?.revision) }]);
}

async function makeOn(actor: WorkspaceScope, domain: string, name = key): Promise<void> {
  const [outcome] = await createLinks(actor, [
    { url: `https://to.example/${domain}`, domain, key: name },
  ]);
  if (!outcome?.ok) throw new Error(outcome?.message);
}

async function visit(host: string, path = `/${key}`, headers: Record<string, string> = {}) {
  const { status, headers: head } = await ask(path, { headers: { host, ...headers } });
  return head.location ?? status;
}

beforeAll(async () => {
  other = await makeTestScope("isolated");
  await addDomain(scope(), "mine.example");
  await addDomain(other, "theirs.example");
  await addDomain(other, "empty.example");
  await addDomain(scope(), "xn--bcher-kva.example");
  await makeOn(scope(), "mine.example");
  await makeOn(other, "theirs.example");
  await makeOn(scope(), "xn--bcher-kva.example");
});

test("one key on two domains is two links, from the stores and from memory alike", async () => {
  for (let visits = 0; visits < 3; visits++) {
    expect(await visit("mine.example")).toBe("https://to.example/mine.example");
    expect(await visit("theirs.example")).toBe("https://to.example/theirs.example");
    for (const host of ["empty.example", "localhost", "nobody.example", "example", "", "a,b"]) {
      expect(await visit(host), host).toBe(host.includes(",") ? 400 : 404);
    }
  }
  const lines = await redis().keys(`l:*:${key}`);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(2);
});

test("a generated code redirects on its own domain only", async () => {
  const [outcome] = await createLinks(scope(), [
    { url: "https://to.example/code", domain: "mine.example" },
  ]);
  const code = outcome?.ok ? outcome.link.key : "";
  expect(code).toMatch(/^\w{6,7}$/);
  for (let visits = 0; visits < 2; visits++) {
    expect(await visit("mine.example", `/${code}`)).toBe("https://to.example/code");
    for (const host of ["xn--bcher-kva.example", "theirs.example", "localhost"]) {
      expect(await visit(host, `/${code}`), host).toBe(404);
    }
  }
});

test("port, final dot, case and script of a host do not matter; a similar name is another", async () => {
  for (const host of ["mine.example:8080", "mine.example.", "MINE.Example", "Mine.example.:443"]) {
    expect(await visit(host), host).toBe("https://to.example/mine.example");
  }
  const written = Buffer.from("bücher.example").toString("latin1");
  for (const host of ["xn--bcher-kva.example", "XN--BCHER-KVA.example:1", written]) {
    expect(await visit(host), host).toBe("https://to.example/xn--bcher-kva.example");
  }
  for (const host of [
    "www.mine.example",
    "mine.example.evil.example",
    "ine.example",
    "mine-example",
  ]) {
    expect(await visit(host), host).toBe(404);
  }
});

test("X-Forwarded-Host chooses no domain, not even from a trusted proxy", async () => {
  for (const name of ["x-forwarded-host", "forwarded", "x-original-host", "x-host"]) {
    const value = name === "forwarded" ? "host=theirs.example" : "theirs.example";
    expect(await visit("mine.example", `/${key}`, { [name]: value })).toBe(
      "https://to.example/mine.example",
    );
    expect(await visit("empty.example", `/${key}`, { [name]: value })).toBe(404);
  }
});

test("a click names the domain on which it happened", async () => {
  await redis().del(redisKeys.clickStream(0));
  await visit("theirs.example");
  await visit("mine.example");
  const entries = await redis().xrange(redisKeys.clickStream(0), "-", "+");
  const pks = await query<{ pk: number; workspace_pk: number }>(sql`
    SELECT link.pk, link.workspace_pk
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    WHERE domain.slug IN ('mine.example', 'theirs.example')
      AND link.key = ${key}`);
  expect(pks).toHaveLength(2);
  const text = entries.map(([, fields]) => fields.join(" ")).join("\n");
  for (const { pk } of pks) expect(text).toContain(String(pk));
});

test("an archived domain continues, one that lost its verification stops, within the same second", async () => {
  await addDomain(scope(), "state.example");
  await makeOn(scope(), "state.example");
  expect(await visit("state.example")).toBe("https://to.example/state.example");
  await change(
    "state.example",
    sql`UPDATE domain SET archived = true WHERE slug = 'state.example'`,
  );
  expect(await visit("state.example")).toBe("https://to.example/state.example");
  await change(
    "state.example",
    sql`UPDATE domain SET verified_at = NULL WHERE slug = 'state.example'`,
  );
  expect(await visit("state.example")).toBe(404);
  // The next verified owner serves links of their own there, and none of the old ones.
  await addDomain(other, "state.example");
  await change("state.example", sql`SELECT`);
  expect(await visit("state.example")).toBe(404);
  await makeOn(other, "state.example", "new-one");
  expect(await visit("state.example", "/new-one")).toBe("https://to.example/state.example");
  expect(await visit("state.example")).toBe(404);
});

test("root, missing and ended links redirect where their own domain sets, and only there", async () => {
  await addDomain(scope(), "pages.example");
  await change(
    "pages.example",
    sql`
      UPDATE domain
      SET placeholder = 'https://acme.example/',
        not_found_url = 'https://acme.example/lost',
        expired_url = 'https://acme.example/over'
      WHERE slug = 'pages.example'`,
  );
  const ended = { url: "https://to.example/", expiresAt: "2020-01-01T00:00:00Z" };
  const outcomes = await createLinks(scope(), [
    { ...ended, domain: "pages.example", key: "ended" },
    { ...ended, domain: "pages.example", key: "own", expiredUrl: "https://own.example/" },
    { ...ended, domain: "mine.example", key: "ended" },
  ]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(await visit("pages.example", "/")).toBe("https://acme.example/");
  expect(await visit("pages.example", "/none")).toBe("https://acme.example/lost");
  expect(await visit("pages.example", "/ended")).toBe("https://acme.example/over");
  expect(await visit("pages.example", "/own")).toBe("https://own.example/");
  expect(await visit("mine.example", "/")).toBe(404);
  expect(await visit("mine.example", "/none")).toBe(404);
  expect(await visit("mine.example", "/ended")).toBe(410);
});
