/** `npm run codes:inspect -- <code>`: shows operators the pk of a code and its link. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { codeFingerprint, isAllowedCode, isReservedSegment, pkOfCode } from "#lib/platform/codes";
import { describeInstance, setEnvironment } from "./environment.ts";
import { withOwnDatabase } from "./own-database.ts";
import { Advice, explain } from "./processes.ts";
import { openSecrets, type Secrets } from "./secrets.ts";

const { dataDir } = describeInstance(process.env);
const placeholder = "postgres://127.0.0.1/fuxi";

function hasDatabase(): boolean {
  return Boolean(process.env["DATABASE_URL"]) || existsSync(join(dataDir, "postgres"));
}

async function inspect(code: string, databaseUrl: string | undefined): Promise<Line[]> {
  setEnvironment(databaseUrl ?? placeholder, readSecrets());
  const lines = describeCode(code);
  if (databaseUrl) return [...lines, ...(await findLink(databaseUrl, code))];
  return [...lines, ["link", "unknown: there is no database here"]];
}

/** Never generates secrets, because new ones would decode every code to another pk. */
function readSecrets(): Secrets {
  if (existsSync(join(dataDir, "secrets.json"))) return openSecrets(dataDir);
  const { FUXI_CODE_KEY: codeKey, FUXI_CODE_TWEAK: codeTweak } = process.env;
  if (!codeKey || !codeTweak) {
    throw new Advice("No code key found. Set FUXI_CODE_KEY and FUXI_CODE_TWEAK, or FUXI_DATA_DIR.");
  }
  const unused = "0".repeat(64);
  return {
    codeKey,
    codeTweak,
    sessionSecret: unused,
    databasePassword: unused,
    redisPassword: unused,
  };
}

type Line = [name: string, text: string];

function describeCode(code: string): Line[] {
  const pk = pkOfCode(code);
  if (pk === undefined) {
    throw new Advice(
      `"${code}" is not a generated slug: those have 6 or 7 characters from 0-9, A-Z and a-z.`,
    );
  }
  return [
    ["code", code],
    ["pk", String(pk)],
    ["length", `${code.length} characters`],
    ["generated", fitnessOf(code)],
  ];
}

function fitnessOf(code: string): string {
  if (isReservedSegment(code)) return "never: it is a reserved path";
  return isAllowedCode(code)
    ? "yes, in order of the primary keys"
    : "never: it contains a blocked word";
}

interface Row {
  key: string | null;
  url: string | null;
  workspace: string | null;
  domain: string | null;
  state: string;
}

async function findLink(databaseUrl: string, code: string): Promise<Line[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await assertKey(client);
    const { rows } = await client.query<Row>(linkText, [pkOfCode(code), code]);
    if (rows.length === 0) return [["link", "none"]];
    return rows.flatMap((row) => describeRow(row, code));
  } finally {
    await client.end();
  }
}

async function assertKey(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT code_fingerprint AS print FROM installation");
  if (rows.length === 0 || rows[0].print === codeFingerprint()) return;
  throw new Advice(
    "The code key does not belong to this database. Set the FUXI_CODE_KEY and FUXI_CODE_TWEAK that it was created with.",
  );
}

// Answered by link_pkey, and by alias_pkey for chosen names, with one lookup per domain.
const linkText = `
  SELECT link.key, link.url, workspace.slug AS workspace, domain.slug AS domain,
    CASE
      WHEN link.workspace_pk IS NULL THEN 'reserved'
      WHEN link.banned_at IS NOT NULL THEN 'banned'
      WHEN link.disabled_at IS NOT NULL THEN 'turned off'
      WHEN link.expires_at <= now() THEN 'expired'
      WHEN link.starts_at > now() THEN 'scheduled'
      WHEN link.archived THEN 'active, archived'
      ELSE 'active'
    END AS state
  FROM link
  LEFT JOIN workspace ON workspace.pk = link.workspace_pk
  LEFT JOIN domain ON domain.pk = link.domain_pk
  WHERE link.pk = $1
    OR link.pk IN (
      SELECT alias.link_pk
      FROM domain AS host
      JOIN alias ON alias.domain_pk = host.pk AND alias.key = $2)
  ORDER BY link.pk = $1 DESC, link.pk`;

function describeRow(row: Row, code: string): Line[] {
  if (row.state === "reserved") {
    return [["link", "none: the pk is reserved, because a custom slug is equal to this code"]];
  }
  const lines: Line[] = [
    ["link", `${row.domain}/${row.key}`],
    ["url", row.url ?? ""],
    ["workspace", row.workspace ?? ""],
    ["state", row.state],
  ];
  if (row.key !== code) lines.push(["note", "the slug was changed; this one no longer works"]);
  return lines;
}

try {
  const [verb, code = ""] = process.argv.slice(2);
  if (verb !== "inspect" || code === "") {
    throw new Advice("Name a slug: npm run codes:inspect -- Q7kMz2");
  }
  const lines = hasDatabase()
    ? await withOwnDatabase(
        (databaseUrl) => inspect(code, databaseUrl),
        () => undefined,
      )
    : await inspect(code, undefined);
  for (const [name, text] of lines) console.log(`${name.padEnd(10)} ${text}`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
process.exit(0);
