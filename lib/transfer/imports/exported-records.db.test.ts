/**
 * JSON of other systems and an SQL dump of YOURLS, of 60 links each: imported whole, and twice without a link more. The
 * JSON is that of their APIs; test/other-system-answers.ts names the documentation.
 */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { list } from "../../../test/links.ts";
import { answers, sampleLinks } from "../../../test/other-system-answers.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { changeImport, getImport, previewImport, startImport, uploadImport } from "./index.ts";
import { runImport } from "./jobs.ts";

openTestStores();

const count = 60;
const samples = sampleLinks(count);

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

function answerOf(system: keyof typeof answers, host: string, path: string): unknown {
  const query = new URLSearchParams({
    ...{ size: "100", limit: "100", pageSize: "100", domain_id: "42" },
    ...{ page: "1", itemsPerPage: "100" },
  });
  const call = { path, query, form: new URLSearchParams(), headers: { workspace: "w1" } };
  return answers[system](call, samples, host, {});
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'").replaceAll('"', '\\"')}'`;

/** As mysqldump writes the table of YOURLS 1.10, in several statements. */
function dumpOf(): string {
  const rows = samples.map(({ key, url, title, createdAt, clicks }) => {
    const moment = createdAt.toISOString().slice(0, 19).replace("T", " ");
    return `(${[key, url, title, moment, "203.0.113.7"].map(quoted).join()},${clicks})`;
  });
  const insert = (some: readonly string[]) => `INSERT INTO \`yourls_url\` VALUES ${some.join()};`;
  return `-- MySQL dump 10.13\n${insert(rows.slice(0, 40))}\n${insert(rows.slice(40))}\n`;
}

const files: readonly { name: string; textOf: (host: string) => string; tag?: string }[] = [
  {
    name: "bitly.json",
    textOf: (host) => JSON.stringify(answerOf("bitly", host, "/v4/groups/Bk1/bitlinks")),
    tag: "spring 2020",
  },
  {
    name: "dub.json",
    textOf: (host) => JSON.stringify(answerOf("dub", host, "/links"), null, 2),
    tag: "print",
  },
  {
    name: "dub.ndjson",
    textOf: (host) =>
      [answerOf("dub", host, "/links")]
        .flat()
        .map((link) => `${JSON.stringify(link)}\n`)
        .join(""),
    tag: "print",
  },
  {
    name: "short-io.json",
    textOf: (host) => JSON.stringify(answerOf("short-io", host, "/api/links")),
    tag: "print",
  },
  {
    name: "shlink.json",
    textOf: (host) => JSON.stringify(answerOf("shlink", host, "/rest/v3/short-urls")),
    tag: "print",
  },
  { name: "yourls.sql", textOf: dumpOf },
];

async function importFile(scope: WorkspaceScope, name: string, text: string, host: string) {
  const { id, mapping } = await uploadImport(scope, new Blob([text]).stream(), { name });
  await changeImport(scope, id, { options: { domain: host } });
  const { problems } = await previewImport(scope, id);
  await startImport(scope, id);
  await runImport(id);
  return { ...(await getImport(scope, id)), problems, mapping };
}

test.each(files)(
  "$name is imported whole, and imported twice has no link more",
  async ({ name, textOf, tag }) => {
    const scope = await makeTestScope(`records-${name.replace(".", "-")}`);
    const host = `go.${name}.localhost`;
    await createDomain(scope, createDomainBody.parse({ slug: host }));
    const first = await importFile(scope, name, textOf(host), host);
    expect(first.problems).toEqual([]);
    expect(first).toMatchObject({ state: "done", rows: count, made: count, refused: 0 });
    const found = await list(scope, { pageSize: 100, domain: host });
    for (const { key, url, title } of samples) {
      expect(found.find((link) => link.key === key)).toMatchObject({
        url,
        title,
        utm_source: "print",
        tags: tag ? expect.arrayContaining([expect.objectContaining({ name: tag })]) : [],
      });
    }
    await importFile(scope, name, textOf(host), host);
    expect(await list(scope, { pageSize: 100, domain: host })).toHaveLength(found.length);
  },
);

test("what is no list of links is refused with what to do, and leaves no import", async () => {
  const scope = await makeTestScope("records-refused");
  const upload = (text: string) =>
    uploadImport(scope, new Blob([text]).stream(), { name: "links.json" });
  await expect(upload('{"message": "Forbidden", "links": []}')).rejects.toMatchObject({
    code: "unprocessable_entity",
    problem: { code: "json_no_records" },
  });
  await expect(upload(`[${"[".repeat(100_000)}`)).rejects.toMatchObject({
    problem: { code: "json_too_deep" },
  });
});
