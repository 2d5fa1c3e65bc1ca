import { beforeAll, describe, expect, test } from "vitest";
import { deleteLink, editLink } from "#lib/links/editing";
import { leaseRange } from "#lib/links/keys";
import { getLink, listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { commitCounters } from "#lib/links/writing";
import { codeOfPk, makeCodes } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkKey, createLinks, openLinks } from "./index.ts";

openTestStores();

let ownScope: WorkspaceScope;
let otherScope: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ownScope = await makeTestScope("ada");
  otherScope = await makeTestScope("bob");
});

const url = "https://example.com/landing?x=1";
const everything = listLinksQuery.parse({});

async function createOne(scope: WorkspaceScope, body: Parameters<typeof createLinks>[1][number]) {
  const [outcome] = await createLinks(scope, [body]);
  if (!outcome) throw new Error("no outcome");
  return outcome;
}

describe("creating", () => {
  test("a link without a key gets a code of six characters, with every key of the Link", async () => {
    const outcome = await createOne(ownScope, { url });
    if (!outcome.ok) throw new Error(outcome.message);
    expect(outcome.link.key).toMatch(/^[0-9A-Za-z]{6}$/);
    expect(outcome.link.shortLink).toBe(`http://localhost:3000/${outcome.link.key}`);
    expect(Object.keys(outcome.link)).toHaveLength(54);
    const again = await getLink(ownScope, outcome.link.id);
    expect(again.link).toEqual(outcome.link);
    expect(codeOfPk(again.pk)).toBe(outcome.link.key);
  });

  test("2,000 links at once have 2,000 codes, in the order of the call", async () => {
    const bodies = Array.from({ length: 2_000 }, (_, at) => ({ url: `${url}&n=${at}` }));
    const outcomes = await createLinks(ownScope, bodies);
    const links = outcomes.map((outcome) => (outcome.ok ? outcome.link : undefined));
    expect(links.map((link) => link?.url)).toEqual(bodies.map((body) => body.url));
    expect(new Set(links.map((link) => link?.key)).size).toBe(2_000);
  });

  test("one invalid row does not affect others, and each gets its own outcome", async () => {
    const outcomes = await createLinks(ownScope, [
      { url },
      { url, key: "signin" },
      { url, domain: "unknown.example" },
      { url, externalId: "order-1" },
      { url, externalId: "order-1" },
      { url, key: "kept" },
    ]);
    expect(outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.code))).toEqual([
      "ok",
      "key_invalid",
      "domain_unknown",
      "ok",
      "external_id_taken",
      "ok",
    ]);
  });

  test("one alias requested by 50 clients at once is given to exactly one", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => createOne(ownScope, { url, key: "launch" })),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.code === "key_taken")).toHaveLength(
      49,
    );
  });

  test("an alias that spells a future code keeps that code from being generated", async () => {
    const next = await leaseRange(1);
    const [ahead] = await makeCodes([next.start]);
    if (!ahead) return;
    const outcome = await createOne(ownScope, { url, key: ahead.code });
    expect(outcome.ok).toBe(true);
    const refused = await query(
      sql`INSERT INTO link (pk) VALUES (${ahead.pk}) ON CONFLICT DO NOTHING RETURNING pk`,
    );
    expect(refused).toHaveLength(0);
  });

  test("an alias that spells the code of a link of the same domain is taken", async () => {
    const first = await createOne(ownScope, { url });
    if (!first.ok) throw new Error(first.message);
    const second = await createOne(ownScope, { url, key: first.link.key });
    expect(second).toMatchObject({ ok: false, code: "key_taken" });
  });

  test("a pk that is already taken is skipped and counted", async () => {
    const before = commitCounters.pksRefused;
    // The next ranges of the pool: reserves pks that it is about to hand out.
    await query(sql`
      INSERT INTO link (pk, created_at, updated_at)
      SELECT pk, NULL, NULL
      FROM generate_series(0, 200000, 10) AS pk
      ON CONFLICT DO NOTHING`);
    const outcomes = await createLinks(
      ownScope,
      Array.from({ length: 50 }, () => ({ url })),
    );
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
    expect(commitCounters.pksRefused).toBeGreaterThan(before);
  });
});

describe("pks", () => {
  test("FLUSHALL between ranges assigns no pk twice", async () => {
    const seen = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const range = await leaseRange(100);
      for (let at = 0; at < range.count; at++) {
        expect(seen.has(range.start + at)).toBe(false);
        seen.add(range.start + at);
      }
      if (round % 3 === 0) await redis().flushdb();
    }
  });

  test("a block that another server divided is not divided further", async () => {
    const before = await leaseRange(10);
    // The effect of an older append-only file: a lower position, under the run_id of the server that wrote it.
    await redis().hset("pk:block", {
      run: "0".repeat(40),
      next: before.start,
      end: before.start + 1e4,
    });
    const after = await leaseRange(10);
    expect(after.start).toBeGreaterThanOrEqual(before.start + before.count);
  });
});

describe("tenants", () => {
  test("a link of another workspace answers exactly like a missing one", async () => {
    const outcome = await createOne(otherScope, { url });
    if (!outcome.ok) throw new Error(outcome.message);
    const { id } = outcome.link;
    for (const attempt of [
      () => getLink(ownScope, id),
      () => editLink(ownScope, id, { url: "https://evil.example" }),
      () => deleteLink(ownScope, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
    }
    expect((await getLink(otherScope, id)).link.url).toBe(url);
    expect((await listLinks(ownScope, everything)).some((link) => link.id === id)).toBe(false);
  });
});

describe("listing and changing", () => {
  test("pages follow each other without gap or repetition, both ways", async () => {
    const first = await listLinks(ownScope, { ...everything, pageSize: 10 });
    const second = await listLinks(ownScope, {
      ...everything,
      pageSize: 10,
      startingAfter: first[9]?.id,
    });
    const back = await listLinks(ownScope, {
      ...everything,
      pageSize: 10,
      endingBefore: second[0]?.id,
    });
    expect(new Set([...first, ...second].map((link) => link.id)).size).toBe(20);
    expect(back.map((link) => link.id)).toEqual(first.map((link) => link.id));
  });

  test("a link of the dashboard is found by a part of its url, title or key", async () => {
    const options = { source: "dashboard" as const, prefill: false };
    await createLinks(ownScope, [{ url, title: "Grüße aus Köln", key: "winter" }], options);
    for (const search of ["aus Köl", "wint", "landing?x"]) {
      const found = await listLinks(ownScope, { ...everything, search });
      expect(found.some((link) => link.key === "winter")).toBe(true);
    }
    expect(await listLinks(ownScope, { ...everything, search: "%" })).toEqual([]);
  });

  test("an edit changes the named fields only; null clears", async () => {
    const created = await createOne(ownScope, { url, title: "One", comments: "kept" });
    if (!created.ok) throw new Error(created.message);
    const edited = await editLink(ownScope, created.link.id, { title: null, key: "renamed" });
    if (!edited.ok) throw new Error(edited.message);
    expect(edited.link).toMatchObject({ title: null, comments: "kept", key: "renamed", url });
    expect(await editLink(ownScope, created.link.id, { key: "launch" })).toMatchObject({
      ok: false,
      code: "key_taken",
    });
    await deleteLink(ownScope, created.link.id);
    expect((await createOne(ownScope, { url, key: "renamed" })).ok).toBe(true);
  });
});

describe("the check of a typed key", () => {
  const reasonOf = async (key: string) => (await checkKey(ownScope, { key })).reason;

  test("is taken by a name or a code of any workspace, and free on another domain", async () => {
    const named = await createOne(otherScope, { url, key: "asked-for" });
    const coded = await createOne(otherScope, { url });
    if (!named.ok || !coded.ok) throw new Error("refused");
    await query(sql`
      INSERT INTO domain (id, workspace_pk, slug, verified_at)
      VALUES ('dom_asked', ${ownScope.workspacePk}, 'asked.example', now())`);
    expect(await reasonOf("asked-for")).toBe("taken");
    expect(await reasonOf("/asked-for/")).toBe("taken");
    expect(await reasonOf(coded.link.key)).toBe("taken");
    expect(await reasonOf("asked-for-too")).toBeNull();
    expect(await checkKey(ownScope, { key: "asked-for", domain: "asked.example" })).toEqual({
      available: true,
      reason: null,
      message: null,
    });
    await deleteLink(otherScope, named.link.id);
    expect(await reasonOf("asked-for")).toBeNull();
  });

  test("is refused where a create would refuse it, and so is a domain of another workspace", async () => {
    for (const key of ["api", "a b", "..", "x".repeat(191)]) {
      expect([key, await reasonOf(key)]).toEqual([key, "invalid"]);
    }
    expect(await reasonOf("x".repeat(190))).toBeNull();
    const checks = checkKey(otherScope, { key: "free", domain: "asked.example" });
    await expect(checks).rejects.toThrow("no verified domain");
  });
});
