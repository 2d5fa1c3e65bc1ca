/**
 * Names that external programs depend on: clients, scripts, dashboards, stored rows, bookmarks. A rename in code must
 * not change one of them. To add a name on purpose: TEST_WRITE=1 npm test db -- public-names
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorCodes } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { redisKeys } from "#lib/platform/redis";
import { readSources } from "../scripts/imports.ts";
import { makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";

openTestStores();

const file = join("test", "public-names.json");
const sources = readSources(".").filter(({ name }) => !/\.test\.tsx?$/.test(name));
const inFolder = (folder: string) => sources.filter(({ name }) => name.startsWith(`${folder}/`));

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** The first group of each match in the files of a folder. */
function matchesIn(folder: string, pattern: RegExp): string[] {
  return sorted(
    inFolder(folder).flatMap(({ text }) =>
      [...text.matchAll(pattern)].map(([, found = ""]) => found),
    ),
  );
}

/** Names of properties and parameters anywhere in the API document. */
function fieldsOf(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return into;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "properties") for (const name of Object.keys(Object(inner))) into.add(name);
    if (key === "name" && typeof inner === "string" && "in" in value) into.add(inner);
    fieldsOf(inner, into);
  }
  return into;
}

async function apiNames() {
  const { describeApi } = await import("../app/api/index.ts");
  const document = describeApi();
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const id = Object(operation).operationId;
      return typeof id === "string" ? [`${id}: ${method.toUpperCase()} ${path}`] : [];
    }),
  );
  return { operations: sorted(operations), fields: sorted(fieldsOf(document)) };
}

async function metricNames(): Promise<string[]> {
  await Promise.all([
    import("#lib/redirect/visits"),
    import("#lib/links/creating"),
    import("#lib/analytics/ingest"),
  ]);
  const { renderMetrics } = await import("#lib/platform/log");
  const lines = (await renderMetrics()).split("\n").filter((line) => line.startsWith("fuxi_"));
  return sorted(lines.map((line) => line.replace(/ \S+$/, "").replace(/\{le="[^"]*"\}/, "")));
}

async function databaseNames(): Promise<string[]> {
  const rows = await query<{ name: string }>(sql`
    SELECT table_name || '.' || column_name AS name
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE 'citus\\_%'`);
  return sorted(rows.map(({ name }) => name));
}

async function headersOfFiles(): Promise<Record<string, string>> {
  const scope = await makeTestScope("headers");
  const [{ exportLinks }, { exportAudit }, { exportEvents }] = await Promise.all([
    import("#lib/links/reading"),
    import("#lib/tenancy/audit"),
    import("#lib/analytics/reports"),
  ]);
  const { exportLinksQuery } = await import("#lib/links/reading/schema");
  const { exportAuditQuery } = await import("#lib/tenancy/audit/schema");
  const { exportEventsQuery } = await import("#lib/analytics/reports/schema");
  const headerOf = async (sent: {
    send: (write: (part: Uint8Array) => Promise<void>) => Promise<void>;
  }) => {
    let text = "";
    await sent.send((part) => {
      text += Buffer.from(part).toString();
      return Promise.resolve();
    });
    return text.replace("\uFEFF", "").split("\r\n")[0] ?? "";
  };
  return {
    links: await headerOf(await exportLinks(scope, exportLinksQuery.parse({}))),
    audit: await headerOf(await exportAudit(scope, exportAuditQuery.parse({}))),
    clicks: await headerOf(await exportEvents(scope, exportEventsQuery.parse({}))),
  };
}

/** Pages and routes, as in the address bar. */
function addresses(): string[] {
  const routes = sources.flatMap(({ name }) => {
    const match = /^app\/(.*?)\/?(?:page\.tsx|route\.ts)$/.exec(name);
    return match ? [`/${(match[1] ?? "").replaceAll(/\([^)]*\)\/?/g, "")}`] : [];
  });
  return sorted(routes);
}

async function collect() {
  return {
    settings: matchesIn("lib/platform/config", /^ {2}([A-Z][A-Z_]+): /gm),
    errorCodes: sorted(errorCodes),
    api: await apiNames(),
    metrics: await metricNames(),
    /** Jobs are queues; actions of the audit log and kinds of notifications are stored; log events are searched for. */
    dotted: matchesIn("lib", /"([a-z][a-z-]*\.[a-z][a-z_]+)"/g).filter(
      (name) =>
        !/\.(csv|jsonl|json|zip|txt|ts|mjs|com|org|mmdb|png|svg|html|md)$|^click\./.test(name),
    ),
    redisKeys: sorted(
      Object.values(redisKeys).map((key) =>
        typeof key === "string" ? key : key(...(["1", "2"] as unknown as [never, never])),
      ),
    ),
    cookies: sorted([
      ...matchesIn("app", /\w*[cC]ookie\w* = "([^"]+)"/g),
      ...matchesIn("lib", /\w*[cC]ookie\w* = "([^"]+)"/g),
      ...matchesIn("lib", /"((?:__Host-)?fuxi-(?:session|device))"/g),
    ]),
    addresses: addresses(),
    database: await databaseNames(),
    files: await headersOfFiles(),
  };
}

test("no name that is public or stored has changed", async () => {
  const names = await collect();
  if (process.env["TEST_WRITE"]) writeFileSync(file, `${JSON.stringify(names, null, 1)}\n`);
  const frozen: unknown = JSON.parse(readFileSync(file, "utf8"));
  expect(names).toEqual(frozen);
});
