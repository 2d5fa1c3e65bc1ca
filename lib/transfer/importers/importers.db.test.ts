/** Links of each system, read from a local server that follows its documentation (test/other-systems.ts). */
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import {
  changeImport,
  getImport,
  previewImport,
  runImport,
  startImport,
} from "#lib/transfer/imports";
import type { ChangeImport } from "#lib/transfer/imports/schema";
import {
  goodToken,
  type OtherSystem,
  sampleLinks,
  startSystem,
} from "../../../test/other-systems.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { cancelImporter, createImporter, getImporter, listImporters } from "./index.ts";
import { runImporter } from "./jobs.ts";
import { importerShape, newImporterBody, openImportersMax, type SystemName } from "./schema.ts";

openTestStores({ FUXI_FETCH: "loopback" });

/** More than two pages of each system. */
const count = 320;
const own = "go.moving.localhost";
let scope: WorkspaceScope;
let server: OtherSystem | undefined;
let scopes = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A workspace with the domain that the links have there. */
async function openScope(): Promise<string> {
  scopes += 1;
  const host = `${scopes}.${own}`;
  scope = await makeTestScope(`moving-${scopes}`);
  await createDomain(scope, createDomainBody.parse({ slug: host }));
  return host;
}

function bodyOf(system: SystemName, token = goodToken) {
  const isHosted = system === "yourls" || system === "shlink";
  const address = isHosted ? { address: `${server?.address}/` } : {};
  return newImporterBody.parse({ system, token, ...address });
}

/** Runs it as the schedule does, without the pauses, and reads the local server. */
async function readAll(id: string) {
  for (let turns = 0; turns < 20; turns++) {
    await query(sql`
      UPDATE importer
      SET resumes_at = now() - interval '1 second', address = coalesce(address, ${server?.address})
      WHERE id = ${id} AND state = 'waiting'`);
    await runImporter(id);
    const now = await getImporter(scope, id);
    if (now.finishedAt) return now;
  }
  throw new Error("The importer does not end");
}

async function read(system: SystemName) {
  const { id } = await createImporter(scope, bodyOf(system));
  const ended = await readAll(id);
  expect(ended).toMatchObject({ state: "ready", error: null });
  return String(ended.importId);
}

async function runAll(importId: string, change?: ChangeImport) {
  if (change) await changeImport(scope, importId, change);
  await startImport(scope, importId);
  await runImport(importId);
  return await getImport(scope, importId);
}

interface Stored {
  key: string;
  url: string;
  title: string | null;
  origin: Record<string, unknown>;
  [column: string]: unknown;
}

/** In the order of lists, from the oldest. */
function storedLinks(): Promise<Stored[]> {
  return query<Stored>(sql`
    SELECT link.*, folder.name AS folder, array(
      SELECT tag.name
      FROM link_tag
      JOIN tag ON tag.pk = link_tag.tag_pk
      WHERE link_tag.link_pk = link.pk
      ORDER BY tag.name
    ) AS tags
    FROM link
    LEFT JOIN folder ON folder.pk = link.folder_pk
    WHERE link.workspace_pk = ${scope.workspacePk}
      AND link.key <> '_root'
    ORDER BY link.id`);
}

const soon = "2031-05-06T07:08:09.000Z";
/** Single links with what only this system has, and what becomes of it. */
const special: Record<SystemName, { extras: Record<number, object>; columns: object[] }> = {
  bitly: {
    extras: { 1: { archived: true, tags: [] } },
    columns: [{ archived: true, tags: [] }],
  },
  "short-io": {
    extras: {
      1: { hasPassword: true, countries: { DE: "https://de.example/", fr: "https://fr.example/" } },
      2: {
        FolderId: "f1",
        clicksLimit: 9,
        expiresAt: Date.parse(soon),
        iphoneURL: "https://a.example/",
      },
      3: { splitURL: "https://b.example/", splitPercent: 30, redirectType: "301", cloaking: true },
    },
    columns: [
      {
        disabled_at: expect.any(Date),
        password_hash: null,
        geo: { DE: "https://de.example/", FR: "https://fr.example/" },
      },
      { folder: "Campaigns", max_clicks: 9, expires_at: new Date(soon), ios: "https://a.example/" },
      {
        redirect_status: 301,
        rewrite: true,
        test_variants: [
          { url: sampleLinks(3)[2]?.url, percentage: 70 },
          { url: "https://b.example/", percentage: 30 },
        ],
      },
    ],
  },
  rebrandly: {
    extras: { 1: { description: "A note", forwardParameters: true, scripts: [{ id: "s" }] } },
    columns: [{ comments: "A note", forward_query: true }],
  },
  dub: {
    extras: {
      1: { password: "open sesame", folderId: "fold_1", externalId: "ext-1" },
      2: { geo: { DE: "https://de.example/" }, ios: "https://a.example/", expiresAt: soon },
      3: { leads: 2, sales: 1, webhookIds: ["wh_1"], disabledAt: "2024-01-01T00:00:00.000Z" },
    },
    columns: [
      { password_hash: expect.any(String), folder: "Campaigns", external_id: "ext-1" },
      { geo: { DE: "https://de.example/" }, ios: "https://a.example/", expires_at: new Date(soon) },
      { disabled_at: expect.any(Date) },
    ],
  },
  yourls: { extras: { 1: { title: "" } }, columns: [{ title: null }] },
  shlink: {
    extras: {
      1: { hasRedirectRules: true },
      2: { meta: { validSince: "2020-05-01T00:00:00+02:00", validUntil: soon, maxVisits: 5 } },
    },
    columns: [
      {
        rules: [
          { os: ["ios"], country: ["FR"], url: "https://example.com/ios" },
          { language: ["de-de"], url: "https://example.com/german" },
        ],
      },
      { max_clicks: 5, expires_at: new Date(soon), starts_at: new Date("2020-04-30T22:00:00Z") },
    ],
  },
};
const leftOut: Partial<Record<SystemName, object[]>> = {
  "short-io": [{ property: "password", reason: "turned_off", links: 1 }],
  rebrandly: [{ property: "retargeting", reason: "unsupported", links: 1 }],
  dub: [
    { property: "conversions", reason: "unsupported", links: 1 },
    { property: "webhooks", reason: "unsupported", links: 1 },
  ],
  shlink: [{ property: "rules", reason: "unsupported", links: 1 }],
};

describe.each(["bitly", "short-io", "rebrandly", "dub", "yourls", "shlink"] as const)(
  "%s",
  (system) => {
    test("every link comes along with all that can be held, in order, and once", async () => {
      const host = await openScope();
      const { extras, columns } = special[system];
      server = await startSystem(system, host, count, extras);
      // The second request is limited.
      server.failures = [];
      const importId = await read(system);
      const found = await getImport(scope, importId);
      expect(found.rows).toBe(count);
      expect(found.source).toEqual({
        system,
        domains: [{ domain: host, links: count }],
        leftOut: leftOut[system] ?? [],
      });
      const preview = await previewImport(scope, importId);
      expect(preview).toMatchObject({ obstacle: null, checked: count, refused: [] });
      expect(await runAll(importId)).toMatchObject({ state: "done", made: count, refused: 0 });
      const links = await storedLinks();
      expect(links).toHaveLength(count);
      for (const [at, sample] of sampleLinks(count).entries()) {
        const { key, url, createdAt, clicks } = sample;
        expect(links[at]).toMatchObject({
          key,
          url,
          origin: {
            system,
            shortLink: `${host}/${key}`,
            clicks,
            createdAt: createdAt.toISOString(),
          },
          ...columns[at],
        });
        if (at >= 3) expect(links[at]).toMatchObject({ title: sample.title });
        if (at >= 3 && system !== "yourls") expect(links[at]?.["tags"]).toContain("print");
      }
      // Clicks there are no clicks here.
      const [stat] = await query(
        sql`SELECT 1 FROM link_stat WHERE workspace_pk = ${scope.workspacePk}`,
      );
      expect(stat).toBeUndefined();

      const again = await read(system);
      const second = await previewImport(scope, again);
      expect(second.refused.reduce((sum, one) => sum + one.rows, 0)).toBe(count);
      expect(await runAll(again)).toMatchObject({ made: 0, refused: count });
      expect(await storedLinks()).toHaveLength(count);
    });

    test("a token that is wrong or expired ends it, and is erased", async () => {
      const host = await openScope();
      server = await startSystem(system, host, 3);
      const { id } = await createImporter(scope, bodyOf(system, "expired"));
      expect(await readAll(id)).toMatchObject({
        state: "failed",
        problem: { code: "token_refused" },
        importId: null,
      });
      const [row] = await query(sql`SELECT sealed FROM importer WHERE id = ${id}`);
      expect(row).toEqual({ sealed: null });
    });
  },
);

test("country rules of Short.io that the token may not read are reported, and the links come along", async () => {
  const host = await openScope();
  server = await startSystem("short-io", host, 3);
  server.refused = "/link_country/";
  const found = await getImport(scope, await read("short-io"));
  expect(found).toMatchObject({ rows: 3 });
  expect(found.source?.leftOut).toEqual([{ property: "rules", reason: "not_given", links: 3 }]);
  // Once for the page.
  expect(server.calls.filter((call) => call.includes("/link_country/"))).toHaveLength(1);
});

test("a limit of requests is waited for as long as asked, and a broken answer is asked for again", async () => {
  const host = await openScope();
  server = await startSystem("shlink", host, count);
  const { id } = await createImporter(scope, bodyOf("shlink"));
  server.failures = [{ status: 429, headers: { "retry-after": "120" }, body: "{}" }];
  await runImporter(id);
  const limited = await getImporter(scope, id);
  expect(limited).toMatchObject({ state: "waiting", problem: { code: "rate_limited" } });
  const waits = Date.parse(String(limited.resumesAt)) - Date.now();
  expect(waits).toBeGreaterThan(60_000);
  expect(waits).toBeLessThan(125_000);
  // Before it is due, nobody asks.
  const asked = server.calls.length;
  await runImporter(id);
  expect(server.calls).toHaveLength(asked);

  server.failures = [{ status: 200, body: '{"shortUrls": {"data": [' }];
  await query(sql`UPDATE importer SET resumes_at = now() - interval '1 second' WHERE id = ${id}`);
  await runImporter(id);
  expect(await getImporter(scope, id)).toMatchObject({ problem: { code: "page_unreadable" } });
  expect(await readAll(id)).toMatchObject({ state: "ready", found: count, total: count });
});

test("answers that stay broken end it", async () => {
  const host = await openScope();
  server = await startSystem("shlink", host, 3);
  const { id } = await createImporter(scope, bodyOf("shlink"));
  server.failures = Array.from({ length: 20 }, () => ({ status: 200, body: "{}" }));
  expect(await readAll(id)).toMatchObject({
    state: "failed",
    problem: { code: "page_unreadable", params: { system: "Shlink" } },
  });
});

test("after its worker died, another goes on from the last page, and the dead one stores nothing", async () => {
  const host = await openScope();
  const running = await startSystem("shlink", host, count);
  server = running;
  const { id } = await createImporter(scope, bodyOf("shlink"));
  let open = () => {};
  // The second page, so that the first worker has stored one and waits.
  running.gated = "page=2&";
  running.gate = new Promise((resolve) => {
    open = resolve;
  });
  const first = runImporter(id);
  const { calls } = running;
  await expect.poll(() => calls.some((call) => call.includes("page=2&"))).toBe(true);
  expect((await getImporter(scope, id)).found).toBeGreaterThan(0);
  await query(sql`UPDATE importer SET seen_at = now() - interval '1 hour' WHERE id = ${id}`);
  const before = calls.length;
  const second = runImporter(id);
  await expect.poll(() => calls.length).toBeGreaterThan(before);
  running.gate = undefined;
  open();
  await Promise.all([first, second]);
  const ended = await getImporter(scope, id);
  expect(ended).toMatchObject({ state: "ready", found: count });
  expect(calls.filter((call) => call.includes("page=1&"))).toHaveLength(1);
  expect(await runAll(String(ended.importId))).toMatchObject({ made: count, refused: 0 });
  // Running it again changes nothing.
  await runImporter(id);
  expect(await getImporter(scope, id)).toEqual(ended);
});

test("a canceled one stores nothing more, and keeps neither token nor pages", async () => {
  const host = await openScope();
  server = await startSystem("shlink", host, count);
  const { id } = await createImporter(scope, bodyOf("shlink"));
  server.failures = [];
  let open = () => {};
  server.gate = new Promise((resolve) => {
    open = resolve;
  });
  const running = runImporter(id);
  await expect.poll(() => server?.calls.length).toBe(1);
  expect(await cancelImporter(scope, id)).toMatchObject({ state: "cancelled", importId: null });
  open();
  await running;
  expect(await getImporter(scope, id)).toMatchObject({ state: "cancelled", found: 0 });
  expect(await query(sql`SELECT 1 FROM importer_page WHERE importer_id = ${id}`)).toEqual([]);
  await expect(cancelImporter(scope, id)).rejects.toMatchObject({ code: "conflict" });
});

test("domains there become chosen domains here, and links read again are known by what they were", async () => {
  const host = await openScope();
  server = await startSystem("dub", "dub.sh", 60);
  const importId = await read("dub");
  await changeImport(scope, importId, { options: { otherDomain: null } });
  const { refused } = await previewImport(scope, importId);
  expect(refused).toEqual([{ code: "domain_unknown", rows: 60 }]);
  const change = { options: { domains: { "dub.sh": host }, onTakenKey: "generate" } } as const;
  expect(await runAll(importId, change)).toMatchObject({ made: 60 });
  expect((await storedLinks())[0]).toMatchObject({
    key: "key-1",
    origin: { shortLink: "dub.sh/key-1" },
  });
  // Even where taken slugs would become random ones.
  const again = await read("dub");
  await changeImport(scope, again, change);
  expect((await previewImport(scope, again)).refused).toEqual([
    { code: "already_imported", rows: 60 },
  ]);
  expect(await runAll(again, change)).toMatchObject({ made: 0, refused: 60 });
  await expect(
    changeImport(scope, await read("dub"), {
      options: { domains: { "dub.sh": "missing.example" } },
    }),
  ).resolves.toMatchObject({ options: { domains: { "dub.sh": "missing.example" } } });
});

test("two imports of the same links at once create each link once", async () => {
  const host = await openScope();
  server = await startSystem("yourls", "old.example", 60);
  const ids = [await read("yourls"), await read("yourls")];
  const options = { domains: { "old.example": host }, onTakenKey: "generate" } as const;
  for (const id of ids) {
    await changeImport(scope, id, { options });
    await startImport(scope, id);
  }
  await Promise.all(ids.map((id) => runImport(id)));
  expect(await storedLinks()).toHaveLength(60);
});

test("an address that is not public, or none, is refused", async () => {
  await openScope();
  const parse = (address?: string) =>
    newImporterBody.safeParse({ system: "shlink", token: "x", address });
  expect(parse().error?.issues[0]?.message).toBe("Enter the URL of your server.");
  const bitly = { system: "bitly", token: "x", address: "https://example.com" };
  expect(newImporterBody.safeParse(bitly).success).toBe(false);
  const inside = newImporterBody.parse({
    system: "shlink",
    token: "x",
    address: "http://10.0.0.1/",
  });
  await expect(createImporter(scope, inside)).rejects.toMatchObject({
    problem: { code: "address_refused" },
  });
});

test("the token is stored sealed, and is in no answer", async () => {
  await openScope();
  const secret = "a-very-secret-token";
  const importer = await createImporter(
    scope,
    newImporterBody.parse({ system: "dub", token: secret }),
  );
  expect(importerShape.strict().safeParse(importer).success).toBe(true);
  const [row] = await query<{ text: string; sealed: Buffer }>(sql`
    SELECT importer::text AS text, sealed
    FROM importer
    WHERE id = ${importer.id}`);
  expect(row?.sealed.toString("latin1")).not.toContain(secret);
  expect(row?.text).not.toContain(Buffer.from(secret).toString("hex"));
});

test("other members do not see it, and other workspaces get the same answer as for a missing one", async () => {
  await openScope();
  const { id } = await createImporter(scope, bodyOf("dub"));
  const member = await joinTestScope(scope, "other-mover", "member");
  await expect(getImporter(member, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await listImporters(member, { pageSize: 10 })).toEqual([]);
  await openScope();
  await expect(cancelImporter(scope, id)).rejects.toMatchObject({ code: "not_found" });
});

test("a workspace reads from as many systems at once as allowed, and no more", async () => {
  await openScope();
  for (let made = 0; made < openImportersMax; made++) await createImporter(scope, bodyOf("dub"));
  await expect(createImporter(scope, bodyOf("dub"))).rejects.toMatchObject({
    problem: { code: "too_many_importers" },
  });
});
