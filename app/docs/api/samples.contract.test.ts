/** Every sample of the API reference, run unchanged: in a shell, and as a program. */
import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findOrUnpack } from "../../../scripts/debian.ts";
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
const expectedStatus: Record<string, number> = {
  suggestWords: 422,
  // API keys create no gateways, and the campaign is a draft.
  startCampaign: 404,
  tryCampaign: 404,
  sendTestMessage: 404,
  getGateway: 404,
  // Nor accounts of WeChat.
  putWechatDomain: 404,
  deleteWechatDomain: 404,
  checkGateway: 404,
  // The sample link opens no mini program.
  getMiniProgramCode: 422,
  pauseCampaign: 409,
  resumeCampaign: 409,
  cancelCampaign: 409,
  // The event is of no webhook.
  resendWebhookDelivery: 404,
  // No worker counts clicks here, so there is no click.
  trackLead: 404,
  // Nobody has answered.
  getContact: 404,
  eraseContact: 404,
  getCustomer: 404,
  editCustomer: 404,
  eraseCustomer: 404,
};
const keyed = { ...process.env, FUXI_API_KEY: apiKey, FORCE_COLOR: "0" };
let made = 0;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  // Other files create links without a domain, and count the characters of their messages.
  const { body: domains } = await call("GET", "/domains?pageSize=100");
  const primary = domains.find((domain: { primary: boolean }) => domain.primary);
  if (primary?.slug.startsWith("samples-"))
    await call("DELETE", `/domains/${primary.slug}/primary`);
});

async function post(path: string, body: object, headers?: Record<string, string>): Promise<string> {
  const answer = await call("POST", path, body, headers);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return String(answer.body.id);
}

async function makeImage(number: number): Promise<string> {
  const background = { r: number % 256, g: Math.floor(Math.random() * 256), b: 7 };
  const png = sharp({ create: { width: 8, height: 8, channels: 3, background } }).png();
  return (await png.toBuffer()).toString("base64");
}

async function makeDomain(number: number): Promise<string> {
  const slug = `samples-${runSuffix}-${number}.localhost`;
  await post("/domains", { slug });
  return slug;
}

async function makeImport(number: number, rows: number): Promise<string> {
  const lines = Array.from({ length: rows }, (_, at) => address(`row-${number}-${at}`));
  const form = new FormData();
  form.set("file", new Blob([`url\n${lines.join("\n")}\n`]), "links.csv");
  const answer = await fetch(`${origin.origin}/api/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}` },
    body: form,
  });
  return Object(await answer.json()).id;
}

function makeCampaign(): Promise<string> {
  return post("/campaigns", sampleCalls["createCampaign"]?.body ?? {});
}

async function makeSource(phones: readonly string[]): Promise<string> {
  const answer = await fetch(`${origin.origin}/api/campaigns/${await makeCampaign()}/files`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}` },
    body: recipientsOf(phones),
  });
  return Object(await answer.json()).id;
}

function recipientsOf(phones: readonly string[]): string {
  return `phone\n${phones.join("\n")}\n`;
}

async function makeOptOut(): Promise<string> {
  const phones = [`+86136${10_000_000 + randomInt(80_000_000)}`];
  await call("POST", "/opt-outs", { phones });
  return String((await call("POST", "/opt-outs/check", { phones })).body.optedOut[0].id);
}

/** What the variables of samples stand for; each call gets objects of its own. */
const makers: Record<string, (number: number) => Promise<string>> = {
  SHORT_LINK: async (number) => (await makeLink({ url: address(`sample-${number}`) })).shortLink,
  LINK_ID: (number) => post("/links", { url: address(`sample-${number}`) }),
  JOB_ID: (number) =>
    post("/links/bulk", [{ url: address(`job-${number}`) }], { Prefer: "respond-async" }),
  IMAGE_ID: async (number) => post("/social-images", { image: await makeImage(number) }),
  IMPORTER_ID: () =>
    post("/importers", { system: "yourls", token: "t", address: "https://links.example.com" }),
  IMPORT_ID: (number) => makeImport(number, 2),
  CAMPAIGN_ID: makeCampaign,
  OTHER_CAMPAIGN_ID: makeCampaign,
  SOURCE_ID: () => makeSource(["+8613800138000"]),
  GATEWAY_ID: async () => "gw_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  WEBHOOK_ID: (number) =>
    post("/webhooks", {
      name: `Samples ${number}`,
      url: "https://example.com/hook",
      events: ["campaign.finished"],
    }),
  EVENT_ID: async () => "evt_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  CLICK_ID: async () => "1700000000000-00000000-0000-4000-8000-000000000000",
  CUSTOMER_ID: async () => "cus_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  FORM_ID: (number) =>
    post("/forms", {
      name: `Samples ${runSuffix} ${number}`,
      title: "Get the offer",
      fields: [{ type: "check", label: "I am at least 18 years old" }],
    }),
  CONTACT_ID: async () => "con_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  OPT_OUT_ID: makeOptOut,
  DOMAIN: makeDomain,
  WECHAT_ACCOUNT_ID: async () => "wxa_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  FOLDER_ID: (number) => post("/folders", { name: `Samples ${runSuffix} ${number}` }),
  TAG_ID: (number) => post("/tags", { name: `Samples ${runSuffix} ${number}` }),
  UTM_TEMPLATE_ID: (number) => post("/utm", { name: `Samples ${runSuffix} ${number}` }),
  QR_LOGO_ID: async (number) => post("/qr-logos", { image: await makeImage(number) }),
  QR_TEMPLATE_ID: (number) => post("/qr-templates", { name: `Samples ${runSuffix} ${number}` }),
  WORKSPACE: async () => String((await call("GET", "/me")).body.workspace.id),
};

async function until(
  path: string,
  done: (body: { status?: string; state?: string }) => boolean,
): Promise<void> {
  // The tests run concurrently, where expect.poll may belong to one that has ended.
  await vi.waitFor(async () => expect(done((await call("GET", path)).body)).toBe(true), {
    timeout: 300_000,
    interval: 100,
  });
}

/** The variables of one sample. */
type Variables = Record<string, string>;

/** The state that the operation needs its object in. */
const preparations: Record<string, (variables: Variables, number: number) => Promise<void>> = {
  getBulkOutcomes: (variables) =>
    until(`/links/bulk/${variables["JOB_ID"]}`, ({ status }) => status === "done"),
  getImportResults: async (variables) => {
    const path = `/imports/${variables["IMPORT_ID"]}`;
    await call("PATCH", path, { mapping: ["url"] });
    await post(`${path}/start`, {});
    await until(path, ({ state }) => state === "done");
  },
  cancelImport: async (variables, number) => {
    const id = await makeImport(number, 200_000);
    variables["IMPORT_ID"] = id;
    await call("PATCH", `/imports/${id}`, { mapping: ["url"] });
    await post(`/imports/${id}/start`, {});
  },
  pauseRecipientSource: async (variables) => {
    const phones = Array.from({ length: 20_000 }, (_, at) => `+86138${10_000_000 + at}`);
    variables["SOURCE_ID"] = await makeSource(phones);
    await post(`/recipient-sources/${variables["SOURCE_ID"]}/start`, {});
  },
  undoRecipientSource: async (variables) => {
    await post(`/recipient-sources/${variables["SOURCE_ID"]}/cancel`, {});
  },
  exportRefusedRecipients: async (variables) => {
    variables["SOURCE_ID"] = await makeSource(["no phone"]);
    const path = `/recipient-sources/${variables["SOURCE_ID"]}`;
    await post(`${path}/start`, {});
    await until(path, ({ state }) => state === "done");
  },
};

/** Names exist once in a workspace, and files of a workspace are read one after the other. */
const shared = /Domain|Folder|Tag|UtmTemplate|QrTemplate|Import|RecipientSource|RefusedRecipients/;
let lastShared: Promise<void> = Promise.resolve();

/** Runs work after all other work on shared names. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const turn = lastShared.then(work);
  lastShared = turn.catch(() => undefined); // its own test reports it
  return turn;
}

type Sampled = (typeof callable)[number];

async function prepare(id: string, sample: string, cwd: string): Promise<Variables> {
  made += 1;
  const number = made;
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "links.csv"), `url\n${address(`uploaded-${number}`)}\n`);
  writeFileSync(join(cwd, "recipients.csv"), recipientsOf(["+8613800138000"]));
  const variables: Variables = {};
  for (const [name, make] of Object.entries(makers)) {
    if (new RegExp(`\\b${name}\\b`).test(sample)) variables[name] = await make(number);
  }
  await preparations[id]?.(variables, number);
  return variables;
}

/** Both samples use the same names. */
async function clear({ id, path }: Sampled["operation"], text: string): Promise<void> {
  if (!/^(create|edit)(Domain|Folder|Form|Tag|UtmTemplate|QrTemplate)$/.test(id)) return;
  const collection = path.split("/")[2];
  const name = collection === "domains" ? "slug" : "id";
  const found = new RegExp(`\\b${name}"?: ?['"]([^'"]+)`).exec(text)?.[1];
  const answer = await call("DELETE", `/${collection}/${found}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

function expectStatus(id: string, received: number, text: string): void {
  const status = expectedStatus[id] ?? 200;
  if (status === 200) expect(received, text).toBeOneOf([200, 201, 202]);
  else expect(received, text).toBe(status);
}

async function runInShell({ operation, samples }: Sampled): Promise<void> {
  const cwd = join(folder, operation.id, "shell");
  const env = { ...keyed, ...(await prepare(operation.id, samples.curl, cwd)) };
  const command = `${samples.curl} -sS -w '\\n%{http_code}'`;
  const { stdout } = await promisify(execFile)("bash", ["-euc", command], { cwd, env });
  const end = stdout.lastIndexOf("\n");
  expectStatus(operation.id, Number(stdout.slice(end)), stdout);
  const file = / -o (\S+)$/.exec(samples.curl)?.[1];
  if (file) expect(statSync(join(cwd, file)).size).toBeGreaterThan(0);
  else await clear(operation, stdout.slice(0, end));
}

async function runAsProgram({ operation, samples }: Sampled): Promise<void> {
  const cwd = join(folder, operation.id, "program");
  const env = { ...keyed, ...(await prepare(operation.id, samples.typescript, cwd)) };
  const program = join(cwd, "sample.mjs");
  writeFileSync(program, samples.typescript);
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd, env });
  expectStatus(operation.id, Number.parseInt(stdout, 10), stdout);
  const file = /writeFile\("([^"]+)"/.exec(samples.typescript)?.[1];
  if (file) expect(statSync(join(cwd, file)).size).toBeGreaterThan(0);
  else await clear(operation, stdout);
}

/** They are made like the others: starting a program for each takes longer than all the calls. */
const programs = new Set(callable.filter((_, at) => process.env["TEST_LONG"] || at % 5 === 0));

test.concurrent.each(callable)(
  "the samples of $operation.id run in a shell and as a program",
  async (sampled) => {
    const both = async () => {
      await runInShell(sampled);
      if (programs.has(sampled)) await runAsProgram(sampled);
    };
    await (shared.test(sampled.operation.id) ? inTurn(both) : both());
  },
  120_000,
);

const others = {
  python: { file: "sample.py", find: () => findOrUnpack("python3") },
  php: { file: "sample.php", find: () => findOrUnpack("php", "usr/bin/php8.2", "php8.2-cli") },
  go: {
    file: "sample.go",
    find: () => findOrUnpack("go", "usr/lib/go-1.19/bin/go", "golang-1.19-go"),
  },
} as const;
type Other = keyof typeof others;

async function runOther({ operation, samples }: Sampled, language: Other): Promise<void> {
  const text = samples[language] ?? "";
  const cwd = join(folder, operation.id, language);
  const variables = await prepare(operation.id, text, cwd);
  const { file, find } = others[language];
  writeFileSync(join(cwd, file), text);
  const { program, env } = await find();
  const goFolders = { GOCACHE: join(folder, "go"), GOFLAGS: "-mod=mod" };
  const options = { cwd, env: { ...keyed, ...env, ...goFolders, ...variables } };
  const args = language === "go" ? ["run", file] : [file];
  const running = promisify(execFile)(program, args, options);
  // Its click does not exist, which ends the programs in their own ways.
  if (operation.id === "trackLead") {
    const { stdout, stderr } = await running.catch((error) => error);
    expect(`${stdout}${stderr}`).toMatch(/404|not_found/);
    return;
  }
  const { stdout } = await running;
  expect(JSON.parse(stdout)).not.toHaveProperty("error");
  await clear(operation, stdout);
}

const described = callable.filter(({ samples }) => samples.python !== undefined);
const calls = described.flatMap((sampled) =>
  Object.keys(others).map((name) => ({ sampled, language: name as Other })),
);

test("the main calls have samples in all languages", () => {
  expect(described).toHaveLength(8);
});

// They download and compile; the shell and Node.js run the same calls every time.
test.runIf(process.env["TEST_LONG"]).each(calls)(
  "the sample of $sampled.operation.id in $language runs",
  async ({ sampled, language }) => await runOther(sampled, language),
  600_000,
);

test("the first samples create a link", async () => {
  const { curl, typescript } = firstSamplesOf(origin.origin);
  const command = `${curl} -sS --fail-with-body`;
  const shell = await promisify(execFile)("bash", ["-euc", command], { env: keyed });
  expect(JSON.parse(shell.stdout)).toMatchObject({ url: "https://example.com/autumn" });
  const program = join(folder, "first.mjs");
  writeFileSync(program, typescript);
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: keyed });
  expect(stdout).toMatch(/^http\S+\n$/);
});
