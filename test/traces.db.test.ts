/** Traces, as a collector receives them by OTLP over HTTP. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { defineJob, enqueue, startWorkers, stopWorkers } from "#lib/platform/queue";
import { redis } from "#lib/platform/redis";
import { closeTraces, openTraces, tracesAreOn } from "#lib/platform/traces";
import { openRedirect, visit } from "#lib/redirect/visits";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { handleApi } from "../app/api/index.ts";
import { send } from "./http-client.ts";
import { make } from "./links.ts";
import { makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code?: number };
}

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

openTestStores();

const spans: Span[] = [];
let collector: Server;
let api: Server;
let redirect: Server;
let ada: WorkspaceScope;
let authorization = "";

const job = defineJob({
  name: "traces.try",
  schema: z.object({}),
  handle: async () => {
    await query(sql`SELECT 1 AS traced_in_job`);
    await redis().get("traced");
  },
});

beforeAll(async () => {
  collector = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      if (req.url !== "/v1/traces") throw new Error(`Unexpected path ${req.url}`);
      const { resourceSpans }: Export = JSON.parse(Buffer.concat(chunks).toString());
      spans.push(
        ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
      );
      res.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  api = createServer(handleApi);
  redirect = createServer((req, res) => void visit(req, res));
  await openLinks();
  await openRedirect();
  ada = await makeTestScope("ada");
  authorization = `Bearer ${(await createApiKey(ada, { name: "Traced" })).key}`;
  for (const server of [collector, api, redirect]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
});

afterAll(async () => {
  await closeTraces();
  await stopWorkers();
  for (const server of [collector, api, redirect]) server.close();
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs work with traces on, and returns the spans that the collector has received. */
async function traceDuring(work: () => Promise<unknown>): Promise<Span[]> {
  spans.length = 0;
  Object.assign(config(), { FUXI_TRACES_URL: urlOf(collector), FUXI_TRACES_PERCENT: 100 });
  await openTraces("test");
  await work();
  await closeTraces();
  return [...spans];
}

/** The names of the spans below one, in any depth. */
function namesBelow(found: readonly Span[], parent: Span): string[] {
  const children = found.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  return children.flatMap((child) => [child.name, ...namesBelow(found, child)]);
}

function attributeOf(span: Span | undefined, name: string): unknown {
  const value = span?.attributes.find(({ key }) => key === name)?.value;
  return value && Object.values(value)[0];
}

test("a request of the API is a trace with its statements, part of that of its sender", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const found = await traceDuring(() =>
    send(`${urlOf(api)}/api/tags?search=secret-word`, {
      headers: { authorization, traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    }),
  );
  const request = found.find(({ name }) => name === "api");
  expect(request).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331" });
  expect(attributeOf(request, "http.response.status_code")).toBe(200);
  expect(attributeOf(request, "url.path")).toBe("/api/tags");
  expect(request && namesBelow(found, request)).toContain("postgres select");
  // Values of people are in no span.
  expect(JSON.stringify(found)).not.toContain("secret-word");
  expect(JSON.stringify(found)).not.toContain(authorization.slice("Bearer ".length));
});

test("a visit that is not answered from memory is a trace with its lookup", async () => {
  const [link] = await make(ada, [{ url: "https://example.com/traced" }]);
  const found = await traceDuring(() =>
    send(`${urlOf(redirect)}/${link?.key}`, { headers: { host: link?.domain ?? "" } }),
  );
  const request = found.find(({ name }) => name === "visit");
  expect(attributeOf(request, "http.response.status_code")).toBe(302);
  expect(request && namesBelow(found, request).some((name) => name.startsWith("redis "))).toBe(
    true,
  );
});

test("a job is a trace with its statements and commands", async () => {
  const found = await traceDuring(async () => {
    await startWorkers([job]);
    await enqueue(job, {}, { id: "one" });
    // Ended, not only begun.
    const done = async () => {
      const [row] = await query<{ calls: number }>(sql`SELECT 1 AS calls`);
      return (await redis().zcard("{queue}:traces.try:completed")) + (row?.calls ?? 0);
    };
    await expect.poll(done).toBe(2);
  });
  const run = found.find(({ name }) => name === "job traces.try");
  expect(run && namesBelow(found, run).sort()).toEqual(["postgres select", "redis get"]);
});

test("without the setting nothing is traced, and nothing of OpenTelemetry is loaded", async () => {
  spans.length = 0;
  Object.assign(config(), { FUXI_TRACES_URL: undefined });
  await openTraces("test");
  expect(tracesAreOn()).toBe(false);
  await send(`${urlOf(api)}/api/tags`, { headers: { authorization } });
  expect(spans).toEqual([]);
  const importing = readdirSync("lib/platform/traces").filter((name) =>
    /^import .*from "@opentelemetry|^} from "@opentelemetry/m.test(
      readFileSync(`lib/platform/traces/${name}`, "utf8"),
    ),
  );
  expect(importing).toEqual(["tracing.ts"]);
  const door = readFileSync("lib/platform/traces/index.ts", "utf8");
  expect(door).not.toMatch(/^import .*tracing\.ts/m);
  expect(door).toContain('await import("./tracing.ts")');
});
