/** Links with the same key on different domains, of one workspace and of two, in every part of the product. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollPeriod } from "#lib/analytics/rollups";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { plainDesign } from "#lib/links/qr-design/schema";
import { drawLinkCode, drawSignedCode } from "#lib/outreach/qr-templates";
import { linkCodeQuery } from "#lib/outreach/qr-templates/schema";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { getImport, runImport, startImport, uploadImport } from "#lib/transfer/imports";
import { type Caller, keyCaller } from "../../test/api-callers.ts";
import { putClicks } from "../../test/clicks.ts";
import { readCsv } from "../../test/csv.ts";
import { resultsOf } from "../../test/import-results.ts";
import { list } from "../../test/links.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { readQrCode } from "../../test/zbar.ts";

openTestStores();

const key = "sale";
const slotMs = 900_000;
/** Its owner, and its number of clicks. */
const hosts = {
  "one.localhost": { owner: "ada", clicks: 10 },
  "two.localhost": { owner: "ada", clicks: 20 },
  "their.localhost": { owner: "eve", clicks: 40 },
} as const;
type Host = keyof typeof hosts;
const adas = ["one.localhost", "two.localhost"] as const;

const folder = mkdtempSync(join(tmpdir(), "fuxi-keys-"));
let scopes: Record<"ada" | "eve", WorkspaceScope>;
let ada: Caller;
let eve: Caller;
let results: string;
let from: Date;
let until: Date;

beforeAll(async () => {
  await openLinks();
  scopes = { ada: await makeTestScope("ada"), eve: await makeTestScope("eve") };
  for (const [slug, { owner }] of Object.entries(hosts)) {
    await createDomain(scopes[owner], createDomainBody.parse({ slug }));
  }
  results = await importLinks(scopes.ada, adas);
  await importLinks(scopes.eve, ["their.localhost"]);
  ada = await keyCaller(scopes.ada);
  eve = await keyCaller(scopes.eve);
  until = new Date(Math.floor(Date.now() / slotMs) * slotMs - slotMs);
  from = new Date(until.getTime() - 20 * slotMs);
  for (const [host, { owner, clicks }] of Object.entries(hosts)) {
    await click(scopes[owner], host, clicks);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shortLinkOf = (host: string) => `http://${host}:3000/${key}`;
const urlOf = (host: string) => `https://${host}.example/`;

async function importLinks(scope: WorkspaceScope, on: readonly string[]): Promise<string> {
  const lines = on.map((host) => `${urlOf(host)},${host},${key}\n`);
  const file = new Blob([`url,domain,key\n${lines.join("")}`]).stream();
  const { id } = await uploadImport(scope, file, { name: "sale.csv" });
  await startImport(scope, id);
  await runImport(id);
  expect(await getImport(scope, id)).toMatchObject({ made: on.length });
  return await resultsOf(scope, id);
}

/** This many people, and a few bots. */
async function click({ workspacePk }: WorkspaceScope, host: string, people: number): Promise<void> {
  const own = { first: 9_000_000, count: 1 };
  await putClicks({ workspacePk, count: (people / 10) * 11, from, until, links: own });
  await query(sql`
    UPDATE analytics.click
    SET link_pk = alias.link_pk, domain_pk = alias.domain_pk
    FROM alias
    JOIN domain ON domain.pk = alias.domain_pk
    WHERE click.link_pk = ${own.first}
      AND domain.slug = ${host}
      AND alias.key = ${key}`);
}

async function ask(caller: Caller, path: string, params: Record<string, string>): Promise<string> {
  const { status, text } = await caller({ method: "GET", path: `/api${path}`, query: params });
  expect(status, text).toBe(200);
  return text;
}

/** For the other workspace the link does not exist. */
async function expectMissing(path: string, domain: string): Promise<void> {
  const call = { method: "GET", path: `/api${path}` };
  for (const more of [{}, { key }]) {
    const of = (host: string) => eve({ ...call, query: { ...period(), domain: host, ...more } });
    const [theirs, missing] = [await of(domain), await of("none.localhost")];
    expect(theirs.status).toBe(404);
    expect(theirs.text).toBe(missing.text.replace("none.localhost", domain));
  }
}

const period = () => ({ start: from.toISOString(), end: new Date().toISOString() });

interface LinkRow {
  domain: string;
  key: string;
  clicks: number;
}

describe.each(["as they were recorded", "as they were counted"])(
  "analytics of clicks %s",
  (how) => {
    beforeAll(async () => {
      if (how === "as they were recorded") return;
      for (const { workspacePk } of Object.values(scopes)) {
        await transaction(async (tx) => {
          await query(
            sql`DELETE FROM analytics.touched_slot WHERE workspace_pk = ${workspacePk}`,
            tx,
          );
          await rollPeriod(tx, { workspacePk, from, until: new Date(until.getTime() + slotMs) });
        });
      }
    });

    const count = async (caller: Caller, params: Record<string, string>): Promise<number> =>
      JSON.parse(await ask(caller, "/analytics", { ...period(), ...params })).clicks;

    test.each(adas)("a filter by domain and key means the link on %s", async (domain) => {
      expect(await count(ada, { domain })).toBe(hosts[domain].clicks);
      expect(await count(ada, { domain, key })).toBe(hosts[domain].clicks);
      expect(await count(ada, { domain: `-${domain}` })).toBe(30 - hosts[domain].clicks);
      await expectMissing("/analytics", domain);
    });

    test("the workspaces count their own links, and the list of links names their domains", async () => {
      expect([await count(ada, {}), await count(eve, {})]).toEqual([30, 40]);
      const top = async (caller: Caller): Promise<[string, string, number][]> => {
        const text = await ask(caller, "/analytics", { ...period(), groupBy: "top_links" });
        const rows: LinkRow[] = JSON.parse(text);
        return rows.map((row) => [row.domain, row.key, row.clicks]);
      };
      expect(await top(ada)).toEqual([
        ["two.localhost", key, 20],
        ["one.localhost", key, 10],
      ]);
      expect(await top(eve)).toEqual([["their.localhost", key, 40]]);
    });

    test("a file of the list of links names their domains", async () => {
      const text = await ask(ada, "/analytics/export", { ...period(), groupBy: "top_links" });
      const rows = readCsv(text).map((row) => [row["domain"], row["key"], Number(row["clicks"])]);
      expect(rows).toEqual([
        ["two.localhost", key, 20],
        ["one.localhost", key, 10],
      ]);
    });
  },
);

interface LinkView {
  domain: string;
  key: string;
  link: { shortLink: string; url: string };
}

test.each(adas)(
  "single clicks of %s are those of its own link, in the list and in files",
  async (domain) => {
    const params = { ...period(), domain, key };
    const { clicks } = hosts[domain];
    const view: LinkView[] = JSON.parse(await ask(ada, "/events", params));
    const lines = (await ask(ada, "/events/export", { ...params, format: "jsonl" }))
      .trim()
      .split("\n");
    for (const events of [view, lines.map((line): LinkView => JSON.parse(line))]) {
      expect(events).toHaveLength(clicks);
      const places = new Set(
        events.map(({ domain: host, key: name, link }) => `${host} ${name} ${link.url}`),
      );
      expect([...places]).toEqual([`${domain} ${key} ${urlOf(domain)}`]);
    }
    const rows = readCsv(await ask(ada, "/events/export", params));
    expect(rows).toHaveLength(clicks);
    expect([...new Set(rows.map(({ shortLink }) => shortLink))]).toEqual([shortLinkOf(domain)]);
    await expectMissing("/events", domain);
    await expectMissing("/events/export", domain);
  },
);

test("files of all clicks have each with its own domain", async () => {
  const rows = readCsv(await ask(ada, "/events/export", period()));
  for (const host of adas) {
    expect(rows.filter(({ shortLink }) => shortLink === shortLinkOf(host))).toHaveLength(
      hosts[host].clicks,
    );
  }
  expect(rows).toHaveLength(30);
});

test("files of links have each with its domain, all together and by a filter", async () => {
  const placesOf = (links: { domain?: string; key?: string; url?: string }[]) =>
    links.map((link) => `${link.domain} ${link.key} ${link.url}`).toSorted();
  const both = adas.map((host) => `${host} ${key} ${urlOf(host)}`).toSorted();
  const jsonOf = async (caller: Caller, params: object) =>
    (await ask(caller, "/links/export", { format: "jsonl", ...params }))
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  expect(placesOf(await jsonOf(ada, {}))).toEqual(both);
  expect(placesOf(readCsv(await ask(ada, "/links/export", {})))).toEqual(both);
  for (const domain of adas) {
    const own = [`${domain} ${key} ${urlOf(domain)}`];
    expect(placesOf(await jsonOf(ada, { domain }))).toEqual(own);
    expect(placesOf(readCsv(await ask(ada, "/links/export", { domain })))).toEqual(own);
    expect(await jsonOf(eve, { domain })).toEqual([]);
  }
});

test("the results of an import have each row with the short link of its own domain", async () => {
  const links = await list(scopes.ada, {});
  for (const row of readCsv(results)) {
    const link = links.find(({ domain }) => domain === row["domain"]);
    expect([row["Short link"], row["Link ID"]]).toEqual([link?.shortLink, link?.id]);
    expect(row["Short link"]).toBe(shortLinkOf(String(row["domain"])));
  }
  expect(readCsv(results)).toHaveLength(2);
});

test("a design is saved with one of them, and its signature shows no other", async () => {
  const [one, two] = await Promise.all(
    adas.map(async (host) => (await list(scopes.ada, { domain: host }))[0]),
  );
  const saved = { ...plainDesign, dots: "dots", caption: "One" } as const;
  const edited = await ada({
    method: "PATCH",
    path: `/api/links/${one?.id}`,
    body: { qr: saved },
  });
  expect(edited.status).toBe(200);
  const [other] = await list(scopes.ada, { domain: "two.localhost" });
  expect([other?.id, other?.qr]).toEqual([two?.id, undefined]);
  const [first] = await list(scopes.ada, { domain: "one.localhost" });
  expect(first?.qr).toEqual(saved);
  const signature = new URL(first?.qrCode ?? "").searchParams.get("design") ?? "";
  const options = { format: "svg", size: 512 } as const;
  const shown = async (host: Host) =>
    await drawSignedCode(signature, `${shortLinkOf(host)}?qr=1`, options);
  expect(await shown("one.localhost")).toBeDefined();
  expect(await shown("two.localhost")).toBeUndefined();
  expect(await shown("their.localhost")).toBeUndefined();
});

test("a QR code contains the short link of its own domain", async () => {
  for (const host of Object.keys(hosts) as Host[]) {
    const scope = scopes[hosts[host].owner];
    const [link] = await list(scope, { domain: host });
    const params = linkCodeQuery.parse({});
    const { body } = await drawLinkCode(scope, link?.id ?? "", {}, params);
    const file = join(folder, `${host}.png`);
    writeFileSync(file, body);
    expect(await readQrCode(file)).toBe(`${shortLinkOf(host)}?qr=1`);
  }
});
