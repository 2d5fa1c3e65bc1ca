/**
 * Generated requests to the redirect, the API, server actions and uploads of real processes, with a real session and key:
 * none is answered with a 5xx other than a 503, no process ends, and none keeps memory. TEST_SEED repeats a run.
 */
import { Agent } from "node:http";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { arbitraryBody, arbitraryCall } from "../../test/api-fuzz.ts";
import { operationsOf } from "../../test/api-operations.ts";
import type { TestSubjects } from "../../test/api-subjects.ts";
import { send } from "../../test/http-client.ts";
import { makePageShot, type PageTargets, readActions } from "./fuzz-pages.ts";
import { makeImages, makeUpload } from "./fuzz-uploads.ts";
import { type Attack, fire, makeShot, openRandom } from "./hostile.ts";
import { apiKey, makeLink, openStage, type Process, type Stage } from "./stage.ts";

const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1e9);
const requestsMax = process.env["TEST_LONG"] ? 100_000 : 1_000;
/** Shares of a hundred requests. */
const shares = { redirect: 45, api: 25, pages: 15, uploads: 15 };
const crowd = 12;
const failuresMax = 20;
const answerMaxMs = 120_000;
const growthMax = 50 * 1024 * 1024;

let stage: Stage;
let processes: Record<string, Process>;
let front: Process;
let subjects: TestSubjects;
let pages: PageTargets;
const statuses = new Map<string, number>();

beforeEach(async () => {
  stage = await openStage();
  Object.assign(stage.env, {
    FUXI_LINKS_IN_MEMORY: "1000",
    NODE_OPTIONS: `--import ${new URL("./heap.mjs", import.meta.url)}`,
  });
  const [server, redirect, web, worker] = await Promise.all([
    stage.start("server.ts"),
    stage.start("workers/redirect.ts"),
    stage.start("workers/web.ts"),
    stage.start("workers/index.ts"),
  ]);
  front = server;
  processes = { front: server, redirect, web, worker };
  subjects = await makeThings();
  const host = new URL(String(stage.env["FUXI_URL"])).host;
  pages = {
    host,
    cookie: await signIn(host),
    slug: (await front.call("GET", "/me")).body.workspace.slug,
    actions: readActions(),
    names: Object.values(subjects),
    links: [],
  };
});

afterEach(() => stage.close());

/** Objects that calls can name; names of objects that are not created here do not exist. */
async function makeThings(): Promise<TestSubjects> {
  const made = async (path: string, body: object) => (await front.call("POST", path, body)).body;
  const link = await made("/links", { url: "https://example.com/", externalId: "external" });
  const tag = await made("/tags", { name: "Tag" });
  const folder = await made("/folders", { name: "Folder" });
  const missing = (prefix: string) => `${prefix}_01KAYV5M3EJ2Q4R8ZC7D0N6XWB`;
  return {
    link: link.id,
    key: link.key,
    shortLink: link.shortLink,
    shortDomain: link.domain,
    externalId: "external",
    tag: tag.id,
    tagName: "Tag",
    folder: folder.id,
    apiKey: missing("key"),
    utm: missing("utm"),
    qrTemplate: missing("qrt"),
    qrLogo: missing("qrl"),
    socialImage: missing("img"),
    job: missing("job"),
    import: missing("imp"),
    importer: missing("impr"),
    campaign: missing("camp"),
    gateway: missing("gw"),
    wechatAccount: missing("wxa"),
    officialAccount: missing("wxa"),
    webhook: missing("wh"),
    click: "1700000000000-00000000-0000-4000-8000-000000000000",
    customer: missing("cus"),
    form: missing("form"),
    contact: missing("con"),
    publicKey: missing("pk"),
    event: missing("evt"),
    otherCampaign: missing("camp"),
    source: missing("src"),
    readySource: missing("src"),
    waitingSource: missing("src"),
    optOut: missing("opt"),
    entry: missing("aud"),
    user: missing("user"),
    workspace: missing("ws"),
    otherWorkspace: missing("ws"),
    domain: "missing.example",
  };
}

/** The cookie of a session of the owner. */
async function signIn(host: string): Promise<string> {
  const csrf = await send(`${front.url}/api/auth/csrf`, { headers: { Host: host } });
  const cookies = (answer: typeof csrf) =>
    (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  const answer = await send(`${front.url}/api/auth/callback/password`, {
    method: "POST",
    headers: { Host: host, Cookie: cookies(csrf) },
    body: new URLSearchParams({
      csrfToken: JSON.parse(csrf.text).csrfToken,
      email: "owner@example.com",
      password: "a long enough password",
    }),
  });
  return cookies(answer);
}

function heapOf({ child }: Process): Promise<number> {
  return new Promise((resolve) => {
    child.once("message", (message: { heap: number }) => resolve(message.heap));
    child.send("heap");
  });
}

type Surface = keyof typeof shares;

const failures: string[] = [];

/** Notes a status, and the request of a failure. */
function judge(surface: Surface, status: number | undefined, sent: string, answer: string): void {
  const name = `${surface} ${status ?? "closed"}`;
  statuses.set(name, (statuses.get(name) ?? 0) + 1);
  if (status === undefined || status < 500 || status === 503) return;
  const texts = [sent, answer].map((text) => JSON.stringify(text.slice(0, 3_000)));
  failures.push(`${surface}: ${texts.join("\n")}`);
}

async function fireAt(surface: Surface, target: Process, shot: Attack): Promise<void> {
  const answer = await fire(Number(new URL(target.url).port), shot, answerMaxMs);
  if (answer === undefined) judge(surface, 504, shot.text, "no answer");
  for (const [, status] of (answer ?? "").matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3}) /g))
    judge(surface, Number(status), shot.text, answer ?? "");
  if (answer === "") judge(surface, undefined, shot.text, answer);
}

/** Runs `shoot` for so many requests, several at a time, until so much has failed that more would tell nothing. */
async function repeat(requests: number, shoot: () => Promise<number>): Promise<void> {
  let left = requests;
  const attacker = async () => {
    while (left > 0 && failures.length < failuresMax) {
      left -= 1;
      const used = await shoot();
      left -= used - 1;
    }
  };
  await Promise.all(Array.from({ length: crowd }, attacker));
}

async function openShooters(): Promise<Record<Surface, () => Promise<number>>> {
  const random = openRandom(seed);
  const document = await front.call("GET", "/openapi.json");
  const operations = operationsOf(document.body);
  const model = { operations, schemas: document.body.components.schemas, subjects };
  const calls = fc.sample(arbitraryCall(model), { seed, numRuns: callsKept });
  const bodies = fc.sample(arbitraryBody(model, "createLink"), { seed, numRuns: 60 });
  pages = { ...pages, links: bodies.map((body) => JSON.stringify(body) ?? "") };
  const links = [];
  for (const more of [{}, { forwardQuery: true }, { password: "open sesame" }])
    links.push(await makeLink(front, { url: "https://dest.example/x", ...more }));
  const aims = { keys: links.map(({ key }) => key), hosts: ["localhost", "127.0.0.1:1"] };
  const uploads = { host: pages.host, apiKey, images: await makeImages() };
  const agent = new Agent({ keepAlive: true, maxSockets: crowd });
  const targets = [processes["redirect"] ?? front, front];
  let sent = 0;
  return {
    redirect: async () => {
      const shot = makeShot(random, aims);
      await fireAt("redirect", targets[random(2)] ?? front, shot);
      return shot.requests;
    },
    api: async () => {
      const call = calls[random(calls.length)];
      if (!call) return 1;
      const { operation, address, body } = call;
      const isPerson = address.startsWith("/api/api-keys");
      const signed = isPerson
        ? { Cookie: pages.cookie, Origin: `http://${pages.host}`, "X-Fuxi-Workspace": pages.slug }
        : { Authorization: `Bearer ${apiKey}` };
      const type = { Host: pages.host, "Content-Type": "application/json" };
      const answer = await send(front.url, {
        method: operation.method,
        // Node sends no other characters in a path.
        path: address.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent),
        headers: { ...type, ...signed },
        agent,
        timeoutMs: answerMaxMs,
        ...(body === undefined ? {} : { body }),
      });
      judge("api", answer.status, `${operation.method} ${address} ${body}`, answer.text);
      return 1;
    },
    pages: async () => {
      await fireAt("pages", front, makePageShot(random, pages));
      return 1;
    },
    uploads: async () => {
      await fireAt("uploads", front, makeUpload(random, uploads));
      sent += 1;
      if (sent % uploadsKept === 0) await deleteUploads();
      return 1;
    },
  };
}

/** A workspace keeps a hundred files and logos: without room, all later uploads would be refused unread. */
const uploadsKept = 100;

async function deleteUploads(): Promise<void> {
  for (const path of ["/imports", "/qr-logos"]) {
    const { status, body } = await front.call("GET", path);
    // A busy instance may refuse; the next upload tries again.
    if (status === 503) continue;
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    for (const { id } of body) await front.call("DELETE", `${path}/${id}`);
  }
}

/** Generating a call costs more than answering it: a run draws from so many. */
const callsKept = process.env["TEST_LONG"] ? 10_000 : 120;

function countOf(surface: Surface, pattern: RegExp): number {
  const matching = [...statuses].filter(
    ([name]) => name.startsWith(`${surface} `) && pattern.test(name),
  );
  return matching.reduce((sum, [, count]) => sum + count, 0);
}

test(`${requestsMax} generated requests cause no failure, end no process and leave no memory in use`, {
  timeout: 3 * 3_600_000,
}, async () => {
  process.stdout.write(`fuzz seed ${seed}\n`);
  const startedAt = performance.now();
  const shooters = await openShooters();
  process.stdout.write(`  generated in ${Math.round(performance.now() - startedAt)} ms\n`);
  const attackAll = async () => {
    for (const surface of Object.keys(shares) as Surface[]) {
      const startedAt = performance.now();
      await repeat((requestsMax / 2 / 100) * shares[surface], shooters[surface]);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      process.stdout.write(`  ${surface}: ${seconds} s\n`);
    }
  };
  const heaps = async () =>
    Promise.all(
      Object.entries(processes).map(async ([name, one]) => [name, await heapOf(one)] as const),
    );
  await attackAll();
  expect(failures, `TEST_SEED=${seed}`).toEqual([]);
  const middle = await heaps();
  await attackAll();
  const end = Object.fromEntries(await heaps());
  process.stdout.write(`${JSON.stringify(Object.fromEntries([...statuses].toSorted()))}\n`);
  expect(failures, `TEST_SEED=${seed}`).toEqual([]);
  for (const [name, bytes] of middle) {
    const growth = (end[name] ?? 0) - bytes;
    process.stdout.write(`  ${name}: ${Math.round(bytes / 1e6)} MB, then ${growth} bytes more\n`);
    expect([name, growth < growthMax]).toEqual([name, true]);
  }
  for (const { child } of Object.values(processes))
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  // Requests that were all refused early would prove nothing.
  for (const surface of Object.keys(shares) as Surface[]) {
    const all = countOf(surface, /./);
    expect([surface, countOf(surface, / (?:2|3)\d\d$/) > all / 50]).toEqual([surface, true]);
    expect([surface, countOf(surface, / 503$/) <= all / 20]).toEqual([surface, true]);
  }
});
