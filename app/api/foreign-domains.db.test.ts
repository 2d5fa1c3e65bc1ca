/**
 * Every way to name a domain, tried with one of another workspace that has a link: served, or only claimed. The
 * response is that of an unused domain, and nothing of the other workspace changes.
 */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain, getDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createWorkspace } from "#lib/tenancy/workspaces";
import {
  changeImport,
  previewImport,
  runImport,
  startImport,
  uploadImport,
} from "#lib/transfer/imports";
import {
  type Call,
  type CallAnswer,
  type Caller,
  callerWith,
  keyCaller,
  personCaller,
} from "../../test/api-callers.ts";
import { resultsOf } from "../../test/import-results.ts";
import { list, make } from "../../test/links.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

openTestStores();

const key = "theirs";
const url = "https://example.com/";
const served = "served.example";
const claimed = "claimed.example";
const missing = "missing.localhost";

let ada: WorkspaceScope;
let eve: WorkspaceScope;
let evesKey: Caller;
let evePerson: Caller;
let evesLink: string;
/** Another workspace of Eve's. */
let evesOther: string;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  for (const slug of [served, claimed]) {
    await createDomain(ada, createDomainBody.parse({ slug }));
  }
  await query(sql`UPDATE domain SET verified_at = now() WHERE slug = ${served}`);
  await make(ada, [{ url: "https://secret.example/", domain: served, key, externalId: "theirs" }]);
  // It was served once, and its link still exists.
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url, alias)
    SELECT max(link.pk) + 1, gen_random_uuid(), ${ada.workspacePk}, domain.pk, ${key}, 'https://secret.example/', true
    FROM link, domain
    WHERE domain.slug = ${claimed}
    GROUP BY domain.pk`);
  const [own] = await make(eve, [{ url, key: "eves" }]);
  evesLink = String(own?.id);
  const other = await createWorkspace(String(eve.userId), { name: "Other", slug: "eves-other" });
  if (!other.ok) throw new Error(other.code);
  evesOther = other.workspace.id;
  evesKey = await keyCaller(eve);
  evePerson = await personCaller(eve);
});

type CallOf = (domain: string) => Call;

const get = (path: string, more: (domain: string) => Record<string, string>): CallOf => {
  return (domain) => ({ method: "GET", path: `/api${path}`, query: more(domain) });
};
const send = (method: string, path: string, body: (domain: string) => unknown): CallOf => {
  return (domain) => ({
    method,
    path: `/api${path.replace("{link}", evesLink).replace("{domain}", domain)}`,
    body: body(domain),
  });
};
const byDomain = (domain: string) => ({ domain });
const byKey = (domain: string) => ({ domain, key });

const calls: [name: string, call: CallOf][] = [
  ["reading", (domain) => ({ method: "GET", path: `/api/domains/${domain}` })],
  ["editing", send("PATCH", "/domains/{domain}", () => ({ notFoundUrl: url }))],
  ["renaming", send("PATCH", "/domains/{domain}", () => ({ slug: "taken-over.localhost" }))],
  ["archiving", send("PATCH", "/domains/{domain}", () => ({ archived: true }))],
  [
    "deleting",
    (domain) => ({ method: "DELETE", path: `/api/domains/${domain}`, query: { links: "delete" } }),
  ],
  ["verifying", send("POST", "/domains/{domain}/verify", () => ({}))],
  [
    "reading the verification",
    (domain) => ({ method: "GET", path: `/api/domains/${domain}/verification` }),
  ],
  ["making primary", send("PUT", "/domains/{domain}/primary", () => ({}))],
  [
    "making not primary",
    (domain) => ({ method: "DELETE", path: `/api/domains/${domain}/primary` }),
  ],
  ["transferring", send("POST", "/domains/{domain}/transfer", () => ({ workspaceId: evesOther }))],
  ["finding in the list of", get("/domains", (domain) => ({ search: domain, archived: "true" }))],
  ["making a link on", send("POST", "/links", (domain) => ({ url, domain }))],
  ["making an alias on", send("POST", "/links", (domain) => ({ url, domain, key }))],
  ["upserting a link on", send("PUT", "/links/upsert", (domain) => ({ url, domain }))],
  ["upserting the link of", send("PUT", "/links/upsert", (domain) => ({ url, domain, key }))],
  ["moving a link to", send("PATCH", "/links/{link}", byDomain)],
  ["moving a link to the key of", send("PATCH", "/links/{link}", byKey)],
  ["replacing a link by one on", send("PUT", "/links/{link}", (domain) => ({ url, domain }))],
  [
    "making many links on",
    send("POST", "/links/bulk", (domain) => [
      { url, domain },
      { url, domain, key },
    ]),
  ],
  ["asking for a key of", get("/links/availability", byKey)],
  ["asking for a free key of", get("/links/availability", (domain) => ({ domain, key: "free" }))],
  ["finding a link of", get("/links/info", byKey)],
  ["listing links of", get("/links", byDomain)],
  ["listing links by key of", get("/links", byKey)],
  ["counting links of", get("/links/count", byDomain)],
  ["counting links by domain of", get("/links/count", (domain) => ({ domain, groupBy: "domain" }))],
  ["exporting links of", get("/links/export", byDomain)],
  ["exporting lines of links of", get("/links/export", (domain) => ({ domain, format: "jsonl" }))],
  ["expanding a link of", get("/expand", byKey)],
  [
    "expanding the address of",
    get("/expand", (domain) => ({ url: `http://${domain}:3000/${key}` })),
  ],
  ["asking analytics of", get("/analytics", byDomain)],
  ["asking analytics without", get("/analytics", (domain) => ({ domain: `-${domain}` }))],
  ["asking analytics of a link of", get("/analytics", byKey)],
  ["exporting analytics of", get("/analytics/export", byDomain)],
  ["listing clicks of", get("/events", byDomain)],
  ["listing clicks of a link of", get("/events", byKey)],
  ["exporting clicks of", get("/events/export", byDomain)],
];

/** A response without the domain and the ids that it repeats. */
function withoutNames({ status, text }: CallAnswer, domain: string): string {
  return `${status} ${text.replaceAll(domain, "…")}`;
}

test.each([served, claimed])(
  "%s of another workspace is in every call exactly like one that does not exist",
  async (domain) => {
    const different: string[] = [];
    for (const [name, call] of calls) {
      const ask = name === "transferring" ? evePerson : evesKey;
      const theirs = withoutNames(await ask(call(domain)), domain);
      const none = withoutNames(await ask(call(missing)), missing);
      if (theirs !== none) different.push(`${name}: ${theirs} instead of ${none}`);
      if (theirs.includes("secret")) different.push(`${name} shows ${theirs}`);
    }
    expect(different).toEqual([]);
  },
);

test("each of these calls has another response for the workspace's own domain", async () => {
  const alike: string[] = [];
  for (const [at, [name, call]] of calls.entries()) {
    const domain = `own-${at}.localhost`;
    await createDomain(eve, createDomainBody.parse({ slug: domain }));
    await make(eve, [{ url, domain, key }]);
    const ask = name === "transferring" ? evePerson : evesKey;
    const own = withoutNames(await ask(call(domain)), domain);
    if (own === withoutNames(await ask(call(missing)), missing)) alike.push(`${name}: ${own}`);
  }
  expect(alike).toEqual([]);
});

test("an import finds no domain of another workspace, for all rows or in one", async () => {
  const answers: string[] = [];
  for (const domain of [served, claimed, missing]) {
    const file = new Blob([`url,domain,key\n${url},${domain},${key}\n`]).stream();
    const { id } = await uploadImport(eve, file, { name: "links.csv" });
    const { problems } = await previewImport(eve, id);
    await changeImport(eve, id, { options: { domain } });
    const { obstacle } = await previewImport(eve, id);
    const start = await evesKey({ method: "POST", path: `/api/imports/${id}/start` });
    await changeImport(eve, id, { options: { domain: null } });
    await startImport(eve, id);
    await runImport(id);
    const results = await resultsOf(eve, id);
    expect(results).toContain(",refused,");
    answers.push(JSON.stringify([problems, obstacle, start, results]).replaceAll(domain, "…"));
  }
  expect(new Set(answers).size).toBe(1);
});

test("a host that is served cannot be claimed by another workspace, by a new domain or a new name", async () => {
  const own = await createDomain(eve, createDomainBody.parse({ slug: "eves.localhost" }));
  for (const call of [
    send("POST", "/domains", () => ({ slug: served })),
    send("POST", "/domains", () => ({ slug: served.toUpperCase() })),
    send("PATCH", `/domains/${own.slug}`, () => ({ slug: served })),
  ]) {
    const { status, text } = await evesKey(call(served));
    expect([status, text]).toEqual([
      409,
      expect.stringContaining("Another workspace already uses"),
    ]);
  }
  // A claim excludes no one, and reveals no others.
  const claims = [claimed, "unclaimed.example"];
  const answers = await Promise.all(
    claims.map((slug) => evesKey(send("POST", "/domains", () => ({ slug }))(slug))),
  );
  const shapes = answers.map(({ status, text }) => {
    const {
      id: _id,
      createdAt: _created,
      updatedAt: _updated,
      slug: _slug,
      ...rest
    } = JSON.parse(text);
    return [status, rest];
  });
  expect(shapes[0]).toEqual(shapes[1]);
});

test("nothing of the other workspace has changed", async () => {
  expect(await getDomain(ada, served)).toMatchObject({
    verified: true,
    primary: false,
    archived: false,
    notFoundUrl: null,
  });
  expect(await getDomain(ada, claimed)).toMatchObject({ verified: false, notFoundUrl: null });
  const [link, ...others] = await list(ada, { domain: served });
  expect([link?.url, others]).toEqual(["https://secret.example/", []]);
  const key = await keyCaller(ada);
  expect((await key({ method: "GET", path: `/api/domains/${served}` })).status).toBe(200);
  expect((await callerWith({})({ method: "GET", path: `/api/domains/${served}` })).status).toBe(
    401,
  );
});
