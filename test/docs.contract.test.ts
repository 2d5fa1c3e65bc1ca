/**
 * Every command of every document, run unchanged against a running Fuxi. Only the URL and the slug of the examples are
 * replaced. Commands that would start, test or build everything once more are run with --help.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseConfig } from "#lib/platform/config";
import { sampleCalls } from "../app/docs/api/sample-calls.ts";
import { ensureDatabase, onServer, withDatabase } from "../scripts/databases.ts";
import { help } from "../scripts/help.mjs";
import { commandsIn, runAsItStands } from "./documents.ts";

const base = process.env["TEST_BASE_URL"] ?? "";
const databaseUrl = process.env["TEST_INSTANCE_DATABASE_URL"] ?? "";
const dataDir = process.env["TEST_INSTANCE_DATA_DIR"] ?? "";
const restored = `restored_${process.pid}`;
const restoredUrl = withDatabase(databaseUrl || "postgres://127.0.0.1/", restored);
const folder = mkdtempSync(join(tmpdir(), "fuxi-docs-"));

/** Commands at the same time. */
const atOnce = 4;
/** A document may have fifty commands, of which some build or restore, on a busy machine. */
const documentMaxMs = 900_000;
/** Replaces the example slug. */
const exampleSlug = "Q7kMz2";
const wholeRuns =
  /^npm (start|test|run (dev|test:changed|test:security|test:mutation|test:citus|check|test:long|chaos:report|fix|bench|screenshots|db:migrate|db:distribute|db:diff|build:deployment|redirect|api|web|worker))\b/;

// The commands of the others may need the copy that the page about backups restores.
const documents = [
  ...new Set([
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md", join("docs", "operations", "backup.md")],
    ...markdownIn("docs"),
  ]),
];

function markdownIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".md")).map((name) => join(path, name));
}

/** Run in order by e2e/campaign-sending.spec.ts, with a gateway. */
const ranElsewhere = /volume\.\w+\.md$/;
/** Needs a machine that systemd runs: e2e/chaos/systemd.chaos.test.ts. */
const systemdBlock = /^```\n(?:(?!```)[^\n]*\n)*?systemctl(?:(?!```)[^\n]*\n)*?```$/gm;

function commandsOf(document: string): string[] {
  if (ranElsewhere.test(document)) return [];
  return commandsIn(readFileSync(document, "utf8").replaceAll(systemdBlock, ""));
}

function settingsOf(document: string): string[] {
  return [...readFileSync(document, "utf8").matchAll(/^(FUXI_[A-Z_]+=.+)$/gm)].map(
    ([, line = ""]) => line,
  );
}

let slug = "";
/** Guides name it as $CAMPAIGN_ID. */
let campaignId = "";

beforeAll(async () => {
  // As the page about backups says: a restore needs the keys of the original.
  copyFileSync(join(dataDir, "secrets.json"), join(folder, "secrets.json"));
  const answer = await fetch(`${base}/api/links`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${process.env["TEST_API_KEY"]}`,
      "Content-Type": "application/json",
    },
    // Other tests change the default domain.
    body: JSON.stringify({
      url: "https://example.com/documented",
      domain: new URL(base).hostname,
    }),
  });
  slug = Object(await answer.json()).key;
  const campaign = await fetch(`${base}/api/campaigns`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${process.env["TEST_API_KEY"]}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(sampleCalls["createCampaign"]?.body),
  });
  campaignId = Object(await campaign.json()).id;
  // The account that a command of the documents makes an administrator.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    INSERT INTO app_user (id, email, name, email_proven_at)
    VALUES ('user_00000000000000000000000ADA', 'ada@example.com', 'Ada', now())
    ON CONFLICT DO NOTHING`);
  await client.end();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  rmSync("fuxi.sql.gz", { force: true });
  await onServer(databaseUrl, `DROP DATABASE IF EXISTS ${restored} WITH (FORCE)`);
});

/** A command is the same in every document: it runs once. */
const ran = new Set<string>();

test.each(documents.filter((name) => commandsOf(name).length > 0))(
  "the commands of %s work unchanged",
  { timeout: documentMaxMs },
  async (document) => {
    const commands = [...new Set(commandsOf(document))].filter((command) => !ran.has(command));
    // Commands that only print their help run at once; the others depend on each other.
    const helped = commands.filter((command) => wholeRuns.test(command));
    for (let at = 0; at < helped.length; at += atOnce) {
      await Promise.all(helped.slice(at, at + atOnce).map(expectHelp));
    }
    for (const command of commands.filter((one) => !wholeRuns.test(one))) {
      await expectToWork(command);
    }
    for (const command of commands) ran.add(command);
  },
);

async function expectHelp(command: string): Promise<void> {
  const name = command.replace(/^npm (run )?/, "").split(" ")[0] ?? "";
  expect(help, command).toHaveProperty([name]);
  expect(command, "cannot be copied into a shell").not.toMatch(/[\n<>]/);
  // Starting npm takes longer than all other commands: one shows that the text is printed, the long run shows all.
  if (!process.env["TEST_LONG"] && name !== "check") return;
  const asked = `${command}${command.includes(" -- ") ? "" : " --"} --help`;
  const { status, stdout, stderr } = await runAsItStands(asked, {});
  expect(status, `${command}: ${stderr}`).toBe(0);
  expect(stdout, command).toContain(help[name]);
}

async function expectToWork(command: string): Promise<void> {
  if (command.startsWith("curl ")) return await expectAnswer(command);
  if (command.startsWith("npm run restore")) {
    await onServer(databaseUrl, `DROP DATABASE IF EXISTS ${restored} WITH (FORCE)`);
    await ensureDatabase(restoredUrl);
  }
  // Clicks of other tests arrive in the running instance, so its counters are compared in the copy.
  const isOfCopy = /^npm run (restore|analytics:rebuild)/.test(command);
  const env = {
    DATABASE_URL: isOfCopy ? restoredUrl : databaseUrl,
    FUXI_DATA_DIR: isOfCopy ? folder : dataDir,
  };
  const { status, stdout, stderr } = await runAsItStands(command, env);
  expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
}

async function expectAnswer(command: string): Promise<void> {
  const real = command.replaceAll("http://localhost:3000", base).replaceAll(exampleSlug, slug);
  const { status, stdout, stderr } = await runAsItStands(`${real} -sS --fail-with-body`, {
    FUXI_URL: base,
    FUXI_API_KEY: process.env["TEST_API_KEY"] ?? "",
    CAMPAIGN_ID: campaignId,
  });
  expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
  const parts = command.includes("format=jsonl") ? stdout.trim().split("\n") : [stdout];
  for (const part of parts) expect(() => JSON.parse(part), command).not.toThrow();
}

test.each(documents.filter((name) => settingsOf(name).length > 0))(
  "the settings of %s are accepted",
  (document) => {
    const complete = {
      DATABASE_URL: "postgres://127.0.0.1/fuxi",
      REDIS_URL: "redis://127.0.0.1",
      FUXI_CODE_KEY: "0".repeat(64),
      FUXI_CODE_TWEAK: "0".repeat(14),
      FUXI_SESSION_SECRET: "0".repeat(32),
    };
    const given = settingsOf(document).map((line): [string, string] => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    });
    expect(() => parseConfig({ ...complete, ...Object.fromEntries(given) })).not.toThrow();
  },
);

test("every file and folder that a document links to exists", () => {
  for (const document of documents.filter((name) => !name.includes("guides"))) {
    const text = readFileSync(document, "utf8");
    const targets = [...text.matchAll(/\]\((?!https?:|\/)([^)#]+)/g)].map(([, to = ""]) => to);
    const missing = targets.filter((to) => !existsSync(join(document, "..", to)));
    expect(missing, document).toEqual([]);
  }
});

test("every npm script has a text for --help", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(Object.keys(help).sort()).toEqual(Object.keys(scripts).sort());
});
