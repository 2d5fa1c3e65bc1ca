import { EventEmitter, once } from "node:events";
import { beforeAll, describe, expect, test } from "vitest";
import { newUuid } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { deleteLink, editLink } from "#lib/links/editing";
import { addSlice, insertSearch, lockEras } from "#lib/links/search";
import { scannedLinksMax } from "#lib/links/search/schema";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { count, keysOf, list, make, pageThrough } from "../../../test/links.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { keyTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countShown } from "./index.ts";
import { countLinksQuery } from "./schema.ts";

openTestStores();

beforeAll(openLinks);

describe("search", () => {
  let scope: WorkspaceScope;

  beforeAll(async () => {
    scope = await makeTestScope("search");
    await make(scope, [
      { url: "https://shop.example.com/summer?order=4711", key: "sommer", title: "Sommer-Aktion" },
      { url: "https://example.com/100%25_off", key: "rabatt", title: "100%_off!" },
      { url: "https://example.com/cn", key: "spring", title: "春节活动 大促销" },
      { url: "https://example.com/cn2", key: "chinese", title: "中文标题" },
      { url: "https://example.com/e", key: "party", title: "Party 🎉🎊 tonight" },
      { url: "https://example.com/u", key: "umlaut", title: "GRÜSSE aus Köln" },
      { url: "https://example.com/w", key: "wide", title: "ＡＢＣ１２３" },
      { url: "https://example.com/c", key: "quiet", comments: "back\\slash 'quote' --" },
    ]);
  });

  test.each([
    ["summer", ["sommer"]],
    ["SOMMER", ["sommer"]],
    ["order=4711", ["sommer"]],
    ["=47", ["sommer"]],
    ["4", ["sommer"]],
    ["100%", ["rabatt"]],
    ["%_", ["rabatt"]],
    ["_", ["rabatt"]],
    ["!", ["rabatt"]],
    ["春节", ["spring"]],
    ["节", ["spring"]],
    ["节春", []],
    ["春节活动", ["spring"]],
    ["活动 大", ["spring"]],
    ["中文", ["chinese"]],
    ["🎉", ["party"]],
    ["🎉🎊", ["party"]],
    ["🎊🎉", []],
    ["grüsse", ["umlaut"]],
    ["ü", ["umlaut"]],
    ["köLN", ["umlaut"]],
    ["ko\u0308ln", ["umlaut"]],
    ["abc123", ["wide"]],
    ["\\", ["quiet"]],
    ["'quote'", ["quiet"]],
    ["zebra", []],
    ["zz", []],
  ])("%s finds %j", async (search, keys) => {
    expect(await keysOf(scope, { search })).toEqual(keys);
    expect(await keysOf(scope, { search, sortBy: "clicks" })).toEqual(keys);
    expect(await count(scope, { search })).toBe(keys.length);
    expect(await countShown(scope, countLinksQuery.parse({ search }))).toBe(keys.length);
  });

  test("a common term finds all, newest first, and pages continue each other", async () => {
    const all = await keysOf(scope, { search: "http" });
    expect(all).toEqual(await keysOf(scope, {}));
    const first = await list(scope, { search: "http", pageSize: 3 });
    const second = await list(scope, { search: "http", pageSize: 3, startingAfter: first[2]?.id });
    const back = await list(scope, { search: "http", pageSize: 3, endingBefore: second[0]?.id });
    expect(second.map(({ key }) => key)).toEqual(all.slice(3, 6));
    expect(back).toEqual(first);
    const up = await keysOf(scope, { search: "http", sortOrder: "asc" });
    expect(up).toEqual([...all].reverse());
  });

  test("a link of an API key is found by its whole key, url, short link, id and externalId before it is indexed", async () => {
    const [link] = await make(
      await keyTestScope(scope),
      [{ url: "https://api.example.com/hidden-part", externalId: "order-9" }],
      { source: "api", prefill: false },
    );
    if (!link) throw new Error("no link");
    const { key, url, shortLink, id } = link;
    const names = [
      key,
      url,
      shortLink,
      shortLink.replace("http://", ""),
      id,
      "order-9",
      "ext_order-9",
    ];
    for (const search of names) {
      expect(await keysOf(scope, { search })).toEqual([key]);
      expect(await keysOf(scope, { search, searchMode: "exact" })).toEqual([key]);
    }
    for (const search of [key.slice(0, 5), "hidden-part", "order-"]) {
      expect(await keysOf(scope, { search, searchMode: "exact" })).toEqual([]);
    }
    expect(await keysOf(scope, { search: "hidden-part" })).toEqual([]);
  });

  test("a link that a session creates through the API is found by parts at once", async () => {
    const bodies = [{ url: "https://api.example.com/of-a-session", key: "session" }];
    await make(scope, bodies, { source: "api", prefill: false });
    expect(await keysOf(scope, { search: "of-a-sess" })).toEqual(["session"]);
  });

  test("search and filters apply together", async () => {
    expect(await keysOf(scope, { search: "example", key: "spring" })).toEqual(["spring"]);
    expect(await keysOf(scope, { search: "春节", key: "party" })).toEqual([]);
    expect(await keysOf(scope, { search: "spring", domain: "localhost" })).toEqual(["spring"]);
  });

  test("an edit is found by its new text and no longer by the old", async () => {
    const [link] = await make(scope, [{ url: "https://example.com/a", title: "Walrus" }]);
    if (!link) throw new Error("no link");
    await editLink(scope, link.id, { title: "Nilpferd 河马" });
    expect(await keysOf(scope, { search: "walrus" })).toEqual([]);
    expect(await keysOf(scope, { search: "nilpferd" })).toEqual([link.key]);
    expect(await keysOf(scope, { search: "河马" })).toEqual([link.key]);
    await deleteLink(scope, link.id);
    expect(await keysOf(scope, { search: "nilpferd" })).toEqual([]);
  });
});

describe("eras", () => {
  /** Full, whatever they contain: the next writer starts another one. */
  async function fillEra({ workspacePk }: WorkspaceScope, which: "all" | "newest" = "all") {
    await query(sql`
      UPDATE search_era
      SET links = 65536
      WHERE workspace_pk = ${workspacePk}
        AND (${which === "all"} OR after_id = (
          SELECT max(after_id::text)::uuid
          FROM search_era
          WHERE workspace_pk = ${workspacePk}))`);
  }

  test("search continues from era to era in the order of the links", async () => {
    const scope = await makeTestScope("eras");
    for (let round = 0; round < 6; round++) {
      const bodies = [1, 2, 3].map((at) => ({ url: `https://example.com/era/${round}/${at}` }));
      await make(scope, bodies);
      await fillEra(scope);
    }
    const whole = (await list(scope, {})).map(({ id }) => id);
    const filters = { search: "era", pageSize: 4 };
    expect((await list(scope, { search: "era" })).map(({ id }) => id)).toEqual(whole);
    expect(await pageThrough(scope, filters, "startingAfter")).toEqual(whole);
    expect(await pageThrough(scope, filters, "endingBefore")).toEqual(whole.slice(0, -1));
  });

  let pk = 1_000_000_000;

  /** Adds a text, and keeps the transaction open while `before` runs. */
  function add({ workspacePk }: WorkspaceScope, id: string, before?: () => Promise<unknown>) {
    pk += 1;
    const drafts = [{ row: { pk, id, workspace_pk: workspacePk }, search: "text" }];
    return transaction(async (tx) => {
      await insertSearch(tx, drafts);
      await before?.();
    });
  }

  async function checkEras({ workspacePk }: WorkspaceScope) {
    const [found] = await query<{ eras: number; wrong: number; links: number }>(sql`
      SELECT count(DISTINCT era.pk) AS eras, count(*) AS links,
        count(*) FILTER (WHERE link_search.id <= after_id OR link_search.id > next_id) AS wrong
      FROM (
        SELECT pk, after_id, lead(after_id) OVER (ORDER BY after_id) AS next_id
        FROM search_era
        WHERE workspace_pk = ${workspacePk}
      ) AS era
      JOIN link_search ON link_search.era_pk = era.pk`);
    return found;
  }

  test("concurrent writers, and a late one with an old id, put no link into a wrong era", async () => {
    const scope = await makeTestScope("writers");
    const late = newUuid();
    await add(scope, newUuid());
    for (let round = 0; round < 8; round++) {
      await fillEra(scope);
      await Promise.all(Array.from({ length: 8 }, () => add(scope, newUuid())));
    }
    await add(scope, late);
    expect(await checkEras(scope)).toEqual({ eras: 9, links: 66, wrong: 0 });
  });

  test.each(["up", "down"] as const)(
    "slices that go %s keep each text in its era, and eras small",
    async (direction) => {
      const scope = await makeTestScope(`slices-${direction}`);
      const ids = Array.from({ length: 40 }, () => newUuid());
      // Every fourth text was there before, in a single era.
      for (const id of ids.filter((_, at) => at % 4 === 0)) await add(scope, id);
      const late = ids.filter((_, at) => at % 4 !== 0);
      if (direction === "down") late.reverse();
      for (let at = 0; at < late.length; at += 5) {
        if (at % 10 === 0) await fillEra(scope);
        const texts = late.slice(at, at + 5).map((id) => {
          pk += 1;
          return { pk, id, text: "text" };
        });
        const added = await transaction(async (tx) => {
          await lockEras(tx, [scope.workspacePk]);
          return await addSlice(tx, scope.workspacePk, texts, direction);
        });
        expect(added).toBe(5);
      }
      expect(await checkEras(scope)).toEqual({ eras: 4, links: 40, wrong: 0 });
      const counted = await query<{ wrong: number }>(sql`
      SELECT count(*) AS wrong
      FROM search_era AS era
      WHERE workspace_pk = ${scope.workspacePk}
        AND links < 65536
        AND links <> (SELECT count(*) FROM link_search WHERE era_pk = era.pk)`);
      expect(counted).toEqual([{ wrong: 0 }]);
    },
  );

  test("no era begins while a link is being written into the previous one", async () => {
    const scope = await makeTestScope("overlap");
    await add(scope, newUuid());
    await fillEra(scope);
    const written = new EventEmitter();
    const inserted = once(written, "inserted");
    const released = once(written, "released");
    const ids = Array.from({ length: 3 }, () => newUuid());
    const started = once(written, "begun");
    const awaited = once(written, "awaited");
    // Starts an era; the next writer waits for it with the old era, and then waits with its own link.
    const beginner = add(scope, ids[0] ?? "", async () => {
      written.emit("begun");
      await awaited;
    });
    await started;
    const waiter = add(scope, ids[2] ?? "", async () => {
      written.emit("inserted");
      await released;
    });
    await untilWaiting();
    written.emit("awaited");
    await beginner;
    await inserted;
    const third = fillEra(scope, "newest").then(() => add(scope, ids[1] ?? ""));
    await untilWaiting();
    written.emit("released");
    await Promise.all([waiter, third]);
    expect(await checkEras(scope)).toMatchObject({ links: 4, wrong: 0 });
  });
});

describe("terms that the index cannot look up", () => {
  const erasMax = 8;
  let scope: WorkspaceScope;

  beforeAll(async () => {
    scope = await makeTestScope("short");
    await make(scope, [{ url: "https://example.com/first", key: "qz" }]);
    await addEras(erasMax - 1);
  });

  /** Without links, which would take too long to make. */
  async function addEras(eras: number): Promise<void> {
    await query(sql`
      INSERT INTO search_era (workspace_pk, after_id, links)
      SELECT ${scope.workspacePk}, gen_random_uuid(), 0
      FROM generate_series(1, ${eras}::int)`);
  }

  test("are read one by one up to a number of links; beyond it, only exact names are found", async () => {
    expect(await keysOf(scope, { search: "rs" })).toEqual(["qz"]);
    await addEras(1);
    const refusal = {
      code: "unprocessable_entity",
      problem: { code: "search_term_too_short", params: { links: scannedLinksMax } },
    };
    await expect(list(scope, { search: "rs" })).rejects.toMatchObject(refusal);
    await expect(count(scope, { search: "rs" })).rejects.toMatchObject(refusal);
    expect(await keysOf(scope, { search: "qz" })).toEqual(["qz"]);
    expect(await keysOf(scope, { search: "rst" })).toEqual(["qz"]);
    expect(await keysOf(scope, { search: "春" })).toEqual([]);
  });
});
