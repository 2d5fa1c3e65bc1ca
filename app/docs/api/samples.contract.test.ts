/** Every sample of the API reference, run unchanged: in a shell, and as a program. */
import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { examples } from "../../../test/api-examples.ts";
import {
  address,
  apiKey,
  call,
  makeLink,
  origin,
  runSuffix,
} from "../../../test/contract-server.ts";
import { readReference } from "./reference.ts";
import { sampleCalls } from "./sample-calls.ts";
import { firstSamplesOf, samplesOf } from "./samples.ts";

// Below the project, so that programs find its packages.
const folder = resolve(".fuxi-test", `samples-${runSuffix}`);
const document = await (await fetch(`${origin.origin}/api/openapi.json`)).json();
const operations = readReference(document).resources.flatMap((resource) => resource.operations);
const callable = operations.flatMap((operation) => {
  const samples = samplesOf(origin.origin, operation);
  return samples ? [{ operation, samples }] : [];
});
/** The instance of the tests fetches nothing, so there are no words of a page to suggest. */
const expectedStatus: Record<string, number> = { suggestWords: 422 };
const folderBefore = process.cwd();
let made = 0;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  vi.stubEnv("FUXI_API_KEY", apiKey);
});

afterAll(() => {
  process.chdir(folderBefore);
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

async function post(path: string, body: object, headers?: Record<string, string>): Promise<string> {
  const answer = await call("POST", path, body, headers);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return String(answer.body.id);
}

async function makeImage(): Promise<string> {
  const background = { r: made % 256, g: Math.floor(Math.random() * 256), b: 7 };
  const png = sharp({ create: { width: 8, height: 8, channels: 3, background } }).png();
  return (await png.toBuffer()).toString("base64");
}

async function makeDomain(): Promise<string> {
  const slug = `samples-${runSuffix}-${made}.localhost`;
  await post("/domains", { slug });
  return slug;
}

async function makeImport(rows: number): Promise<string> {
  const lines = Array.from({ length: rows }, (_, at) => address(`row-${made}-${at}`));
  const form = new FormData();
  form.set("file", new Blob([`url\n${lines.join("\n")}\n`]), "links.csv");
  const answer = await fetch(`${origin.origin}/api/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}` },
    body: form,
  });
  return Object(await answer.json()).id;
}

async function makeOptOut(): Promise<string> {
  const phones = [`+86136${10_000_000 + randomInt(80_000_000)}`];
  await call("POST", "/opt-outs", { phones });
  return String((await call("POST", "/opt-outs/check", { phones })).body.optedOut[0].id);
}

/** What the variables of samples stand for; each call gets objects of its own. */
const makers: Record<string, () => Promise<string>> = {
  SHORT_LINK: async () => (await makeLink({ url: address(`sample-${made}`) })).shortLink,
  LINK_ID: () => post("/links", { url: address(`sample-${made}`) }),
  JOB_ID: () => post("/links/bulk", [{ url: address(`job-${made}`) }], { Prefer: "respond-async" }),
  IMAGE_ID: async () => post("/social-images", { image: await makeImage() }),
  IMPORT_ID: () => makeImport(2),
  CAMPAIGN_ID: () => post("/campaigns", sampleCalls["createCampaign"]?.body ?? {}),
  OPT_OUT_ID: makeOptOut,
  DOMAIN: makeDomain,
  FOLDER_ID: () => post("/folders", { name: `Samples ${runSuffix} ${made}` }),
  TAG_ID: () => post("/tags", { name: `Samples ${runSuffix} ${made}` }),
  UTM_TEMPLATE_ID: () => post("/utm", { name: `Samples ${runSuffix} ${made}` }),
  QR_LOGO_ID: async () => post("/qr-logos", { image: await makeImage() }),
  QR_TEMPLATE_ID: () => post("/qr-templates", { name: `Samples ${runSuffix} ${made}` }),
  WORKSPACE: async () => String((await call("GET", "/me")).body.workspace.id),
};

async function until(
  path: string,
  done: (body: { status?: string; state?: string }) => boolean,
): Promise<void> {
  await expect
    .poll(async () => done((await call("GET", path)).body), { timeout: 30_000, interval: 100 })
    .toBe(true);
}

/** The state that the operation needs its object in. */
const preparations: Record<string, () => Promise<void>> = {
  getBulkOutcomes: () =>
    until(`/links/bulk/${process.env["JOB_ID"]}`, ({ status }) => status === "done"),
  getImportResults: async () => {
    const path = `/imports/${process.env["IMPORT_ID"]}`;
    await call("PATCH", path, { mapping: ["url"] });
    await post(`${path}/start`, {});
    await until(path, ({ state }) => state === "done");
  },
  cancelImport: async () => {
    const id = await makeImport(200_000);
    vi.stubEnv("IMPORT_ID", id);
    await call("PATCH", `/imports/${id}`, { mapping: ["url"] });
    await post(`/imports/${id}/start`, {});
  },
};

describe.each(callable)("the samples of $operation.id", ({ operation, samples }) => {
  async function prepare(sample: string): Promise<void> {
    made += 1;
    writeFileSync(join(folder, "links.csv"), `url\n${address(`uploaded-${made}`)}\n`);
    for (const [name, make] of Object.entries(makers)) {
      if (new RegExp(`\\b${name}\\b`).test(sample)) vi.stubEnv(name, await make());
    }
    await preparations[operation.id]?.();
  }

  /** Names exist once in a workspace, and both samples use the same. */
  async function clear(text: string): Promise<void> {
    if (!/^(create|edit)(Domain|Folder|Tag|UtmTemplate|QrTemplate)$/.test(operation.id)) return;
    const collection = operation.path.split("/")[2];
    const name = collection === "domains" ? "slug" : "id";
    const id = new RegExp(`\\b${name}"?: ?['"]([^'"]+)`).exec(text)?.[1];
    const answer = await call("DELETE", `/${collection}/${id}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }

  const status = expectedStatus[operation.id] ?? 200;

  function expectStatus(received: number, text: string): void {
    if (status === 200) expect(received, text).toBeOneOf([200, 201, 202]);
    else expect(received, text).toBe(status);
  }

  function expectFile(name: string): void {
    expect(statSync(join(folder, name)).size).toBeGreaterThan(0);
    rmSync(join(folder, name));
  }

  test("run in a shell", async () => {
    await prepare(samples.curl);
    const command = `${samples.curl} -sS -w '\\n%{http_code}'`;
    const { stdout } = await promisify(execFile)("bash", ["-euc", command], { cwd: folder });
    const end = stdout.lastIndexOf("\n");
    expectStatus(Number(stdout.slice(end)), stdout);
    const file = / -o (\S+)$/.exec(samples.curl)?.[1];
    if (file) expectFile(file);
    else await clear(stdout.slice(0, end));
  });

  test("run as a program", async () => {
    await prepare(samples.typescript);
    const program = join(folder, `${operation.id}.mjs`);
    writeFileSync(program, samples.typescript);
    const options = { cwd: folder, env: { ...process.env, FORCE_COLOR: "0" } };
    const { stdout } = await promisify(execFile)(process.execPath, [program], options);
    expectStatus(Number.parseInt(stdout, 10), stdout);
    const file = /writeFile\("([^"]+)"/.exec(samples.typescript)?.[1];
    if (file) expectFile(file);
    else await clear(stdout);
  });
});

test("the first samples create a link", async () => {
  const { curl, typescript } = firstSamplesOf(origin.origin);
  const call = await promisify(execFile)("bash", ["-euc", `${curl} -sS --fail-with-body`]);
  expect(JSON.parse(call.stdout)).toMatchObject({ url: "https://example.com/autumn" });
  const program = join(folder, "first.mjs");
  writeFileSync(program, typescript);
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout).toMatch(/^http\S+\n$/);
});

test("operations without samples are those that no API key may call", () => {
  const needs = { person: "people", anyone: "nobody", key: undefined };
  const wrong = operations.filter(({ id, caller }) => {
    const needed = examples[id]?.needs ?? "";
    return needs[caller] !== (["people", "nobody"].includes(needed) ? needed : undefined);
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
