import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { getWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { resultsOf } from "../../../test/import-results.ts";
import { list } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { changeImport, getImport, previewImport, startImport, uploadImport } from "./index.ts";
import { runImport } from "./jobs.ts";
import type { ChangeImport } from "./schema.ts";

openTestStores();

let scope: WorkspaceScope;
const host = "go.other-systems.localhost";

beforeAll(async () => {
  openCoherence();
  await openLinks();
  scope = await makeTestScope("other-systems");
  await createDomain(scope, createDomainBody.parse({ slug: host }));
});

const bitly = [
  "Bitlink,Long URL,Title,Created,Custom Bitlinks",
  `bit.ly/3abcDEF,https://example.com/a,A,2024-01-01,${host}/spring-sale`,
  "bit.ly/4xyz,https://example.com/b,B,2024-01-02,",
  `https://${host}/plain,https://example.com/c,C,2024-01-03,`,
].join("\n");

function upload(text: string) {
  return uploadImport(scope, new Blob([text]).stream(), { name: "bitly.csv" });
}

async function run(id: string, change: ChangeImport = {}) {
  await changeImport(scope, id, change);
  await startImport(scope, id);
  await runImport(id);
  return await getImport(scope, id);
}

async function namesOf(search: string): Promise<string[]> {
  const links = await list(scope, { search });
  return links.map(({ domain, key }) => `${domain}/${key}`).sort();
}

test("an export of Bitly keeps its slugs; without another domain, bit.ly is refused by name", async () => {
  const { id } = await upload(bitly);
  await changeImport(scope, id, { options: { otherDomain: null } });
  const preview = await previewImport(scope, id);
  expect(preview.warnings).toEqual([]);
  expect(preview.problems).toMatchObject([
    { line: 3, code: "domain_unknown", params: { domain: "bit.ly" } },
  ]);
  expect(await run(id)).toMatchObject({ made: 2, refused: 1 });
  expect(await namesOf("example.com/")).toEqual([`${host}/plain`, `${host}/spring-sale`]);
  expect(await resultsOf(scope, id, "failed")).toContain('domain ""bit.ly""');
});

test("rows of a domain that the workspace does not have go to the chosen domain", async () => {
  const { id } = await upload("Short link,Destination URL\nbit.ly/4xyz,https://moved.example/b");
  expect(await run(id, { options: { otherDomain: host } })).toMatchObject({ made: 1 });
  expect(await namesOf("moved.example")).toEqual([`${host}/4xyz`]);
});

test("an import with a chosen domain that does not exist cannot be started", async () => {
  const { id } = await upload("Short link,Destination URL\nbit.ly/4xyz,https://moved.example/b");
  await changeImport(scope, id, { options: { otherDomain: "missing.example" } });
  await expect(startImport(scope, id)).rejects.toMatchObject({
    problem: { code: "domain_unknown", params: { domain: "missing.example" } },
  });
});

test("a preview warns when no column is mapped to the slug although one seems to have it", async () => {
  const { id } = await upload(bitly);
  await changeImport(scope, id, { mapping: [null, "url", "title", null, null] });
  const { warnings } = await previewImport(scope, id);
  expect(warnings).toMatchObject([{ code: "slug_unmapped", params: { column: "Bitlink" } }]);
});

test("what Fuxi exported keeps its names", async () => {
  const text = `shortLink,domain,key,url\nhttps://${host}/own,${host},own,https://again.example/`;
  const { id } = await upload(text);
  expect(await run(id)).toMatchObject({ made: 1 });
  expect(await namesOf("again.example")).toEqual([`${host}/own`]);
});

const dub = "Short link,Destination URL,Clicks\nacme.link/printed,https://printed.example/,7";

function uploadTo(target: WorkspaceScope, text: string) {
  return uploadImport(target, new Blob([text]).stream(), { name: "links.csv" });
}

async function forwardsAfter(target: WorkspaceScope, text: string) {
  const { id } = await uploadTo(target, text);
  const { notes } = await previewImport(target, id);
  await startImport(target, id);
  return { notes: notes.map(({ code }) => code), on: (await getWorkspace(target)).forwardQuery };
}

test("an export of Dub into an empty workspace turns on the forwarding of query parameters, and says so", async () => {
  const empty = await makeTestScope("from-dub");
  expect(await forwardsAfter(empty, dub)).toEqual({ notes: ["dub_forwarding"], on: true });
  // Turned off again, it stays off once there are links.
  await updateWorkspace(empty, { forwardQuery: false });
  await createLinks(empty, [{ url: "https://own.example/" }]);
  expect(await forwardsAfter(empty, dub)).toEqual({ notes: [], on: false });
});

test("exports of others, and members who may not change the settings, leave it off", async () => {
  const empty = await makeTestScope("from-others");
  const off = { notes: [], on: false };
  expect(await forwardsAfter(empty, bitly)).toEqual(off);
  expect(await forwardsAfter(await joinTestScope(empty, "dub-member", "member"), dub)).toEqual(off);
});
