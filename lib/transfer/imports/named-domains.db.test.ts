import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain, deleteDomain, editDomain, makePrimary } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { list, make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { describeDomains } from "./domains.ts";
import {
  changeImport,
  getImport,
  listRefusedRows,
  previewImport,
  startImport,
  uploadImport,
} from "./index.ts";
import { runImport } from "./jobs.ts";
import { changeImportBody, domainsMax, type ImportOptions, listRefusedQuery } from "./schema.ts";

openTestStores();

let made = 0;
let scope: WorkspaceScope;
let host: string;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

async function open(): Promise<void> {
  made += 1;
  scope = await makeTestScope(`named-domains${made}`);
  host = await addDomain(`go${made}.named.localhost`);
  await makePrimary(scope, host);
}

async function addDomain(slug: string, owner = scope): Promise<string> {
  return (await createDomain(owner, createDomainBody.parse({ slug }))).slug;
}

async function upload(rows: readonly string[], options: Partial<ImportOptions> = {}) {
  const text = ["Short link,Long URL", ...rows].join("\n");
  const { id } = await uploadImport(scope, new Blob([text]).stream(), { name: "bitly.csv" });
  const body = changeImportBody.parse({ options });
  return (await changeImport(scope, id, body)).id;
}

async function run(id: string) {
  await startImport(scope, id);
  await runImport(id);
  return await getImport(scope, id);
}

async function names(): Promise<string[]> {
  const links = await list(scope, {});
  return links.map(({ domain, key }) => `${domain}/${key}`).sort();
}

async function refusals(id: string) {
  const rows = await listRefusedRows(scope, id, listRefusedQuery.parse({}));
  return rows.map(({ line, code, params }) => [line, code, params]);
}

const bitly = (rows: number) =>
  Array.from({ length: rows }, (_, at) => `bit.ly/promo-${at},https://example.com/${at}`);

test("a Bitly file becomes links on the primary domain without any choice, and the preview counts them", async () => {
  await open();
  const id = await upload(bitly(150));
  const preview = await previewImport(scope, id);
  expect(preview).toMatchObject({ obstacle: null, checked: 150, creates: 150, refused: [] });
  expect(preview.domains).toEqual([{ domain: "bit.ly", rows: 150, state: "shortener" }]);
  expect(preview.rows).toHaveLength(100);
  expect(await run(id)).toMatchObject({ made: 150, refused: 0, undoLinks: 150 });
  // The newest links.
  expect(await names()).toContain(`${host}/promo-149`);
});

test("each domain of a mixed file goes where it was chosen to: mapped, kept, skipped or the usual domain", async () => {
  await open();
  const second = await addDomain(`second${made}.named.localhost`);
  const rows = [
    "bit.ly/a,https://example.com/a",
    "Links.Acme.com/b,https://example.com/b",
    "old.example/c,https://example.com/c",
    `${second}/d,https://example.com/d`,
    "tinyurl.com/e,https://example.com/e",
    `${host}/f,https://example.com/f`,
  ];
  const domains = { "links.acme.com": second, "old.example": null, [host]: null };
  const id = await upload(rows, { domains });
  const preview = await previewImport(scope, id);
  expect(preview.creates).toBe(4);
  expect(Object.fromEntries(preview.domains.map(({ domain, state }) => [domain, state]))).toEqual({
    "bit.ly": "shortener",
    "links.acme.com": "addable",
    "old.example": "addable",
    "tinyurl.com": "shortener",
    [second]: "active",
    [host]: "active",
  });
  expect(await run(id)).toMatchObject({ made: 4, refused: 2, options: { domains } });
  expect(await names()).toEqual([`${host}/a`, `${host}/e`, `${second}/b`, `${second}/d`]);
  // A skipped domain stays skipped even if it serves this workspace.
  expect(await refusals(id)).toEqual([
    [4, "domain_skipped", { domain: "old.example" }],
    [7, "domain_skipped", { domain: host }],
  ]);
});

test("an entry for all domains sends every row to one, except where a domain has its own entry", async () => {
  await open();
  const second = await addDomain(`second${made}.named.localhost`);
  const rows = [
    "bit.ly/a,https://example.com/a",
    `${host}/b,https://example.com/b`,
    "old.example/c,https://example.com/c",
  ];
  const id = await upload(rows, { domains: { "*": second, "old.example": null } });
  expect(await run(id)).toMatchObject({ made: 2, refused: 1 });
  expect(await names()).toEqual([`${second}/a`, `${second}/b`]);
});

test("a key that is taken on the chosen domain, or by an earlier row, is a problem of its row only", async () => {
  await open();
  await make(scope, [{ url: "https://example.com/before", key: "taken", domain: host }]);
  const rows = [
    "bit.ly/taken,https://example.com/1",
    "bit.ly/twice,https://example.com/2",
    ...bitly(600),
    "tinyurl.com/twice,https://example.com/3",
    "bit.ly/twice,https://example.com/4",
  ];
  const id = await upload(rows);
  const preview = await previewImport(scope, id);
  expect(preview.creates).toBe(601);
  expect(preview.refused).toEqual([
    { code: "key_taken", rows: 2 },
    { code: "already_imported", rows: 1 },
  ]);
  expect(await run(id)).toMatchObject({ made: 601, refused: 3 });
  expect(await refusals(id)).toEqual([
    [2, "key_taken", { key: "taken" }],
    [604, "key_taken", { key: "twice" }],
    [605, "already_imported", { link: "bit.ly/twice" }],
  ]);
});

test("a domain removed between preview and start blocks the start, and nothing is created", async () => {
  await open();
  const second = await addDomain(`gone${made}.named.localhost`);
  const id = await upload(bitly(3), { domains: { "bit.ly": second } });
  expect(await previewImport(scope, id)).toMatchObject({ obstacle: null, creates: 3 });
  await deleteDomain(scope, second, "delete");
  const problem = { code: "domain_unknown", params: { domain: second } };
  await expect(startImport(scope, id)).rejects.toMatchObject({ problem });
  expect(await previewImport(scope, id)).toMatchObject({ obstacleProblem: problem });
  expect(await names()).toEqual([]);
  await changeImport(scope, id, { options: { domains: {} } });
  expect(await run(id)).toMatchObject({ made: 3 });
});

test("a kept domain that is not verified blocks the start until it is", async () => {
  await open();
  const pending = await addDomain(`links${made}.acme.example`);
  const id = await upload([`${pending}/a,https://example.com/a`], {
    domains: { [pending]: pending },
  });
  const preview = await previewImport(scope, id);
  expect(preview.domains).toEqual([{ domain: pending, rows: 1, state: "pending" }]);
  expect(preview.obstacleProblem).toEqual({ code: "domain_unknown", params: { domain: pending } });
  await expect(startImport(scope, id)).rejects.toMatchObject({ code: "unprocessable_entity" });
});

test("a domain is archived, taken, invalid or can be added", async () => {
  await open();
  const others = await makeTestScope(`named-others${made}`);
  const taken = await addDomain(`taken${made}.named.localhost`, others);
  // A claim without proof does not keep others from adding the domain.
  await addDomain("claimed.example", others);
  const archived = await addDomain(`archived${made}.named.localhost`);
  await editDomain(scope, archived, { archived: true });
  const counts = [archived, taken, "not a domain", "claimed.example"].map(
    (domain) => [domain, 1] as const,
  );
  const described = await describeDomains(scope, counts, new Set([host]));
  expect(described.map(({ state }) => state)).toEqual(["archived", "taken", "invalid", "addable"]);
});

test("a preview lists as many domains as can be chosen for, those with the most rows first", async () => {
  await open();
  const counts = Array.from({ length: domainsMax + 1 }, (_, at) => [`d${at}.example`, at] as const);
  const described = await describeDomains(scope, counts, new Set());
  expect(described).toHaveLength(domainsMax);
  expect(described.at(0)?.domain).toBe(`d${domainsMax}.example`);
  const choices = (count: number) =>
    changeImportBody.safeParse({
      options: {
        domains: Object.fromEntries(counts.slice(0, count).map(([name]) => [name, null])),
      },
    }).success;
  expect([choices(domainsMax), choices(domainsMax + 1)]).toEqual([true, false]);
});

test("an empty destination is missing, not an invalid address", async () => {
  await open();
  const id = await upload(["bit.ly/a,", "bit.ly/b,not an address"]);
  const { problems, creates } = await previewImport(scope, id);
  expect(creates).toBe(0);
  expect(problems.map(({ line, code }) => [line, code])).toEqual([
    [2, "url_missing"],
    [3, "row_invalid"],
  ]);
  expect(await run(id)).toMatchObject({ state: "done", made: 0, refused: 2, undoUntil: null });
});

test("reused links are counted apart, and an undo counts only links that still exist", async () => {
  await open();
  await make(scope, [{ url: "https://example.com/same", reuse: true, domain: host }]);
  const text = [
    "url,reuse",
    "https://example.com/same,yes",
    "https://example.com/new,",
    "https://example.com/other,",
    "not an address,",
  ].join("\n");
  const { id } = await uploadImport(scope, new Blob([text]).stream(), { name: "again.csv" });
  expect(await previewImport(scope, id)).toMatchObject({ creates: null, checked: 4 });
  expect(await run(id)).toMatchObject({ made: 3, reused: 1, refused: 1, undoLinks: 2 });
  const [notification] = await listNotifications(scope);
  expect(notification?.details).toEqual({
    name: "again.csv",
    done: 4,
    made: 3,
    reused: 1,
    refused: 1,
  });
});
