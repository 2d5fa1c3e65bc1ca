/** Files of other systems, of 60 links each: imported whole, and twice without a link more. */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { list } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { changeImport, getImport, previewImport, startImport, uploadImport } from "./index.ts";
import { runImport } from "./jobs.ts";

openTestStores();

const links = 60;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

/** Titles and destinations that quoting has to get right. */
const titleOf = (at: number) => `Link ${at}: "Überblick", 2 für 1\n第 ${at} 行`;
const urlOf = (at: number) => `https://shop.example/p/${at}?q=a,b&utm_source=news#part`;
const quoted = (cell: string | number) => `"${String(cell).replaceAll('"', '""')}"`;
const second = (at: number) => String(at % 60).padStart(2, "0");

interface ExportedFile {
  system: string;
  columns: readonly string[];
  row: (at: number, host: string) => readonly (string | number)[];
  /** What the first link has beside its slug, destination and title. */
  more: object;
}

const tagged = { tags: [expect.objectContaining({ name: "spring" })] };
const clicked = { origin: expect.objectContaining({ clicks: 1 }) };

const files: readonly ExportedFile[] = [
  {
    // With the headings of its export of links.
    system: "bitly",
    columns: ["Bitlink", "Long URL", "Title", "Created", "Custom Bitlinks", "Tags", "Total Clicks"],
    row: (at, host) => [
      ...[`bit.ly/3a${at}`, urlOf(at), titleOf(at), "2024-01-01", `${host}/key-${at}`],
      ...["spring", at],
    ],
    more: { ...tagged, ...clicked },
  },
  {
    // With the fields of links of its API, https://developers.short.io/reference.
    system: "short-io",
    columns: ["originalURL", "path", "domain", "title", "tags", "createdAt", "expiresAt"],
    row: (at, host) => [
      ...[urlOf(at), `key-${at}`, host, titleOf(at), "spring"],
      ...["2024-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"],
    ],
    more: { ...tagged, expiresAt: "2099-01-01T00:00:00.000Z" },
  },
  {
    // With the fields of links of its API, https://developers.rebrandly.com.
    system: "rebrandly",
    columns: ["title", "slashtag", "destination", "domainFullName", "shortUrl", "tags", "clicks"],
    row: (at, host) => [
      ...[titleOf(at), `key-${at}`, urlOf(at), host, `${host}/key-${at}`, "spring", at],
    ],
    more: { ...tagged, ...clicked },
  },
  {
    // With the headings of its export of links.
    system: "dub",
    columns: ["Short link", "Destination URL", "Title", "Tags", "Clicks", "Created at", "Archived"],
    row: (at, host) => [
      ...[`https://${host}/key-${at}`, urlOf(at), titleOf(at), "spring", at],
      ...["2024-01-01T00:00:00.000Z", "false"],
    ],
    more: { ...tagged, ...clicked },
  },
  {
    // The columns of its table of links, yourls_url, in version 1.
    system: "yourls",
    columns: ["keyword", "url", "title", "timestamp", "ip", "clicks"],
    row: (at) => [
      ...[`key-${at}`, urlOf(at), titleOf(at), `2024-01-01 10:00:${second(at)}`, "192.0.2.1", at],
    ],
    more: clicked,
  },
  {
    // ExportableShortUrl of https://github.com/shlinkio/shlink-web-client.
    system: "shlink",
    columns: ["createdAt", "title", "shortUrl", "domain", "shortCode", "longUrl", "tags", "visits"],
    row: (at, host) => [
      ...[`2024-01-01T10:00:${second(at)}+01:00`, titleOf(at), `https://${host}/key-${at}`, host],
      ...[`key-${at}`, urlOf(at), "spring", at],
    ],
    more: { ...tagged, ...clicked },
  },
];

test("the table of links of YOURLS is imported as mysql writes it, separated by tabs", async () => {
  const scope = await makeTestScope("file-mysql");
  const host = "go.mysql.localhost";
  await createDomain(scope, createDomainBody.parse({ slug: host }));
  const rows = Array.from(
    { length: links },
    (_, at) => `key-${at}\t${urlOf(at)}\tLink ${at}\t${at}`,
  );
  const text = ["keyword\turl\ttitle\tclicks", ...rows, ""].join("\n");
  expect(await importFile(scope, text, host)).toMatchObject({ made: links, refused: 0 });
});

async function importFile(scope: WorkspaceScope, text: string, host: string) {
  const { id } = await uploadImport(scope, new Blob([text]).stream(), { name: "links.csv" });
  await changeImport(scope, id, { options: { domain: host, otherDomain: host } });
  const { problems } = await previewImport(scope, id);
  await startImport(scope, id);
  await runImport(id);
  return { problems, ...(await getImport(scope, id)) };
}

test.each(files)(
  "a file of $system is imported whole, and imported twice has no link more",
  async ({ system, columns, row, more }) => {
    const scope = await makeTestScope(`file-${system}`);
    const host = `go.${system}.localhost`;
    await createDomain(scope, createDomainBody.parse({ slug: host }));
    const rows = Array.from({ length: links }, (_, at) => row(at + 1, host));
    const text = [columns, ...rows].map((cells) => cells.map(quoted).join(",")).join("\r\n");
    const first = await importFile(scope, text, host);
    expect(first.problems).toEqual([]);
    expect(first).toMatchObject({ state: "done", made: links, refused: 0 });
    const found = await list(scope, { pageSize: 100, domain: host });
    const names = found.filter(({ key }) => key !== "_root").map(({ key }) => key);
    expect(new Set(names)).toEqual(
      new Set(Array.from({ length: links }, (_, at) => `key-${at + 1}`)),
    );
    expect(found.find(({ key }) => key === "key-1")).toMatchObject({
      url: urlOf(1),
      title: expect.stringContaining('"Überblick", 2 für 1'),
      utm_source: "news",
      ...more,
    });
    await importFile(scope, text, host);
    const after = await list(scope, { pageSize: 100, domain: host });
    expect(after).toHaveLength(found.length);
  },
);
