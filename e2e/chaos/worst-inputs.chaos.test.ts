/**
 * The worst inputs of every route that accepts bytes from people without an account or with the cheapest key: what they
 * cost the process that answers visitors. Costs are CPU time of its main thread, so that a busy machine changes nothing.
 */
import { readdirSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ApiDocument, operationsOf } from "../../test/api-operations.ts";
import { cpuBound } from "../../test/bounds.ts";
import { send } from "../../test/http-client.ts";
import {
  fetchedPages,
  jsonBytesMax,
  type Receiver,
  receivers,
  type WorstInput,
  worstJson,
} from "../../test/worst-inputs.ts";
import {
  apiKey,
  makeLink,
  openStage,
  type Process,
  readMetrics,
  type Stage,
  visitOnce,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
/** They parse the same documents in the same process: shorter runs send each document to one of them. */
const sharing = ["/api/imports", "/api/campaigns/{campaign}/files"];
/** How long the main thread may work until it looks at the next request. */
const turnMsMax = cpuBound(25);
/** For any body, and for each megabyte of it. */
const requestMsMax = cpuBound(60);
const megabyteMsMax = cpuBound(120);
const megabyte = 1_048_576;
/** While the process waits for a parser, its timers take this share of the time. */
const backgroundShare = 0.02;
const answerMaxMs = 300_000;
const url = "https://dest.example/";
const patience = { timeout: 120_000, interval: 20 };
const isLinux = process.platform === "linux";

let stage: Stage;
let front: Process;
let document: ApiDocument;
let target: string;
let pages: Server;
const names: Record<string, string> = {};

beforeAll(async () => {
  stage = await openStage();
  Object.assign(stage.env, {
    FUXI_FETCH: "loopback",
    NODE_OPTIONS: `--import ${new URL("./turns.mjs", import.meta.url)}`,
  });
  front = await stage.start("server.ts");
  document = JSON.parse((await send(`${front.url}/api/openapi.json`)).text);
  const form = { name: "Worst", title: "Worst", fields: [{ type: "name" }], consent: "Yes" };
  const [plain, locked, campaign] = await Promise.all([
    makeLink(front, { url }),
    makeLink(front, { url, password: "open sesame" }),
    front.call("POST", "/campaigns", {
      ...{ name: "Worst", kind: "service", template: "{link}", destination: url },
      defaultCountry: "CN",
    }),
  ]);
  const asked = await front.call("POST", "/forms", form);
  const withForm = await makeLink(front, { url, formId: asked.body.id });
  target = plain.key;
  Object.assign(names, { password: locked.key, form: withForm.key, campaign: campaign.body.id });
  pages = createServer((req, res) => {
    const page = fetchedPages().find(({ name }) => req.url === `/${encodeURIComponent(name)}`);
    res.writeHead(200, { "Content-Type": "text/html" }).end(page?.body);
  });
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
}, 600_000);

afterAll(async () => {
  pages?.close();
  await stage?.close();
});

interface Cost {
  longestMs: number;
  sumMs: number;
}

function ask({ child }: Process): Promise<Cost> {
  return new Promise((resolve) => {
    child.once("message", (cost: Cost) => resolve(cost));
    child.send("turns end");
  });
}

/** The least of a few attempts: the first one compiles code and loads modules, and others may share the core. */
async function costOf(
  bytes: number,
  attempt: () => Promise<number>,
): Promise<Cost & { status: number }> {
  let best = { longestMs: Infinity, sumMs: Infinity, status: 0 };
  for (let round = 0; round < 3; round++) {
    front.child.send("turns");
    const started = performance.now();
    const status = await attempt();
    const { longestMs, sumMs } = await ask(front);
    const backgroundMs = backgroundShare * (performance.now() - started);
    best = {
      longestMs: Math.min(best.longestMs, longestMs),
      sumMs: Math.min(best.sumMs, Math.max(sumMs - backgroundMs, 0)),
      status,
    };
    if (best.longestMs < turnMsMax / 2 && best.sumMs < sumMsMaxOf(bytes) / 2) break;
  }
  return best;
}

function sumMsMaxOf(bytes: number): number {
  return requestMsMax + (bytes / megabyte) * megabyteMsMax;
}

async function post(
  receiver: Pick<Receiver, "path" | "sender" | "type" | "headers">,
  input: WorstInput,
) {
  const path = receiver.path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "");
  const { status } = await send(front.url, {
    method: "POST",
    path,
    headers: {
      Host: new URL(String(stage.env["FUXI_URL"])).host,
      "Content-Type": input.type ?? receiver.type,
      Connection: "close",
      ...receiver.headers,
      ...(receiver.sender === "key" ? { Authorization: `Bearer ${apiKey}` } : {}),
    },
    body: input.body,
    timeoutMs: answerMaxMs,
  }).catch((error: NodeJS.ErrnoException) => {
    // A refused body is not read to its end.
    if (error.code === "EPIPE" || error.code === "ECONNRESET") return { status: 400 };
    throw error;
  });
  return status;
}

/** What is wrong with an answer or its cost. */
function faultOf(what: string, bytes: number, cost: Cost & { status: number }): string[] {
  const shown = `${what}: status ${cost.status}, longest turn ${cost.longestMs.toFixed(1)} ms, ${cost.sumMs.toFixed(0)} ms in all`;
  if (process.env["TEST_SHOW_COSTS"]) process.stdout.write(`  ${shown}\n`);
  // One that a limit refuses would show nothing.
  const isFault = cost.status >= 429;
  const isCostly = isLinux && (cost.longestMs > turnMsMax || cost.sumMs > sumMsMaxOf(bytes));
  return isFault || isCostly ? [shown] : [];
}

test("every operation of the API with a body is among the receivers, or takes JSON", () => {
  const others = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const isJson = requestBody === undefined || "application/json" in requestBody.content;
      return isJson ? [] : [`${method.toUpperCase()} ${path}`];
    }),
  );
  const known = receivers.map(
    ({ method, path }) => `${method} ${path.replace(/\{campaign\}/, "{id}")}`,
  );
  expect(others.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(receivers)("$method $path: its worst inputs hold no turn for long", async (receiver) => {
  const faults: string[] = [];
  const share = sharing.indexOf(receiver.path);
  for (const [at, input] of receiver.inputs(receiver.bytesMax).entries()) {
    if (!isLong && share >= 0 && at % sharing.length !== share) continue;
    const cost = await costOf(input.body.length, () => post(receiver, input));
    faults.push(...faultOf(`${receiver.path} ${input.name}`, input.body.length, cost));
  }
  expect(faults).toEqual([]);
});

test("operations with JSON: the worst bodies hold no turn for long", async () => {
  const faults: string[] = [];
  const known = new Set(receivers.map(({ path }) => path.replace(/\{campaign\}/, "{id}")));
  let count = 0;
  for (const { method, path, body } of operationsOf(document)) {
    if (method === "GET" || body === undefined || known.has(path)) continue;
    const properties = Object.keys(propertiesOf(body));
    const inputs = worstJson(jsonBytesMax, properties).slice(properties.length > 0 ? 8 : 0);
    count += 1;
    // Shorter runs send each operation one of them, and each of them to many operations.
    const own = count % inputs.length;
    for (const input of isLong ? inputs : inputs.slice(own, own + 1)) {
      const asked = { path: path.replace(/\{\w+\}/g, "unknown"), type: "application/json" };
      const cost = await costOf(input.body.length, () => sendAs(method, asked, input));
      faults.push(...faultOf(`${method} ${path} ${input.name}`, input.body.length, cost));
    }
  }
  expect(faults).toEqual([]);
});

function propertiesOf(
  schema: NonNullable<ReturnType<typeof operationsOf>[number]["body"]>,
): object {
  const name = schema.$ref?.split("/").at(-1);
  const known = name === undefined ? schema : document.components.schemas[name];
  return known?.properties ?? {};
}

async function sendAs(
  method: string,
  { path, type }: { path: string; type: string },
  { body }: WorstInput,
) {
  const { status } = await send(front.url, {
    method,
    path,
    headers: {
      Host: new URL(String(stage.env["FUXI_URL"])).host,
      "Content-Type": type,
      Authorization: `Bearer ${apiKey}`,
      Connection: "close",
    },
    body,
    timeoutMs: answerMaxMs,
  });
  return status;
}

test("fetched pages: the worst ones hold no turn for long", async () => {
  const { port } = pages.address() as AddressInfo;
  const faults: string[] = [];
  for (const { name, body } of fetchedPages()) {
    const page = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
    const cost = await costOf(
      body.length,
      async () => (await front.call("POST", "/links/suggestion", { url: page })).status,
    );
    faults.push(...faultOf(`page ${name}`, body.length, cost));
  }
  expect(faults).toEqual([]);
});

test("the work on a file ends when its client leaves", async () => {
  const folder = join(String(stage.env["FUXI_DATA_DIR"]), "imports");
  const before = readdirSync(folder);
  const records = Buffer.from(`[${'{"a":1},'.repeat(2_000_000)}{}]`);
  const upload = request(front.url, {
    method: "POST",
    path: "/api/imports",
    headers: {
      Host: new URL(String(stage.env["FUXI_URL"])).host,
      "Content-Type": "text/csv",
      "Content-Length": records.length,
      Authorization: `Bearer ${apiKey}`,
    },
  });
  upload.on("error", () => undefined); // the client leaves
  upload.end(records);
  // The child has begun with the rows.
  await vi.waitFor(() => expect(readdirSync(folder).join()).toContain(".part"), patience);
  upload.destroy();
  const left = /fuxi_parsers_ended_total\{what="left"\} 1/;
  await vi.waitFor(async () => expect(await readMetrics(front)).toMatch(left), patience);
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual(before), patience);
});

test("visitors are redirected after all of it", async () => {
  expect(await visitOnce(`${front.url}/${target}`)).toMatchObject({ status: 302, location: url });
});
