/** The code of an earlier commit beside the present one: each as `npm start` runs it, with stores of its own. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../scripts/databases.ts";
import { peekPort } from "../scripts/ports.ts";
import { endProcess } from "../scripts/processes.ts";
import { openSecrets } from "../scripts/secrets.ts";
import { type Services, startServices } from "../scripts/services.ts";
import { openApi } from "../test/http-client.ts";
import { apiKey, owner, productUrlOf } from "./calls.ts";
import { postmasterOf } from "./cpu.ts";
import { pssMbOf } from "./pss.ts";
import { type Started, type Starting, startInstance } from "./started.ts";
import { cpuMsOf } from "./tree.ts";

const folder = resolve(".fuxi-bench", "before");
const pollEveryMs = 100;
const countedWithinMs = 300_000;

/** The commit that was named on the command line. */
export function commitOfArguments(bench: string): string {
  const commit = process.argv.slice(2).find((one) => /^[0-9a-f]{7,40}$/.test(one));
  if (!commit) throw new Error(`Name a commit: npm run bench ${bench} -- 516fb402`);
  return commit;
}

/** The number of an argument like `--links=10000`. */
export function argumentOf(name: string, usual: number): number {
  const given = process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1];
  return Number(given ?? usual);
}

/** Stores of a data folder, also where the environment names others, which must not be filled. */
export async function startOwnServices(
  dataDir: string,
  postgresSettings: Record<string, string> = {},
): Promise<Services> {
  const { DATABASE_URL, REDIS_URL } = process.env;
  for (const name of ["DATABASE_URL", "REDIS_URL"]) delete process.env[name];
  try {
    return await startServices({ dataDir, report: () => undefined, postgresSettings });
  } finally {
    if (DATABASE_URL !== undefined) process.env["DATABASE_URL"] = DATABASE_URL;
    if (REDIS_URL !== undefined) process.env["REDIS_URL"] = REDIS_URL;
  }
}

type Turn = "before" | "now";

export interface Side<Name extends string = Turn> {
  name: Name;
  /** The folder of its code. */
  checkout: string;
  dataDir: string;
}

/** What runs of a side: pids by name, stores included. */
export interface RunningSide<Name extends string = Turn> extends Side<Name> {
  url: string;
  port: number;
  pids: Record<"front" | "postgres" | "redis" | "web" | "worker", number>;
  workerPort: number;
  readyMs: number;
  startCpuMs: number;
  stop: () => Promise<void>;
}

/** Both sides, with an empty data folder each, or with those of a former run. */
export function openSides(commit: string, keepsData = false): Side[] {
  const checkout = join(folder, commit);
  if (!existsSync(join(checkout, "package.json"))) {
    mkdirSync(checkout, { recursive: true });
    execute("sh", ["-c", `git archive ${commit} | tar -x -C "${checkout}"`], ".");
  }
  const sides: Side[] = [
    { name: "before", checkout, dataDir: join(folder, "data-before") },
    { name: "now", checkout: resolve("."), dataDir: join(folder, "data-now") },
  ];
  if (!keepsData) {
    for (const { dataDir } of sides) rmSync(dataDir, { recursive: true, force: true });
  }
  return sides;
}

function execute(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${cwd}`);
}

/** `npm start`, with an owner and their key. `env`: more variables, such as the key of codes that both sides share. */
export async function startSide<Name extends string>(
  side: Side<Name>,
  { env = {}, prefix = [] }: Pick<Starting, "env" | "prefix"> = {},
): Promise<RunningSide<Name>> {
  mkdirSync(side.dataDir, { recursive: true });
  const started = await startInstance(side.dataDir, {
    checkout: side.checkout,
    prefix,
    env: {
      ...env,
      FUXI_TRUSTED_PROXIES: "127.0.0.1",
      FUXI_OWNER_EMAIL: owner.email,
      FUXI_OWNER_PASSWORD: owner.password,
      FUXI_API_KEY: apiKey,
    },
  });
  return {
    ...side,
    ...started,
    url: `http://localhost:${started.port}`,
    pids: pidsOf(side),
    readyMs: Math.max(...Object.values(started.readyMs)),
    startCpuMs: cpuMsOf(started.child.pid ?? 0),
    stop: () => stopAll(started),
  };
}

/** Stops its processes where they are, or lets them go on: an idle instance takes a part of a core, too. Its stores run on. */
export function pause({ dataDir }: Pick<Side, "dataDir">, isPaused: boolean): void {
  const { pid, children } = readLock(dataDir);
  for (const one of [pid, ...children]) process.kill(one, isPaused ? "SIGSTOP" : "SIGCONT");
}

/** What supervises its processes. */
export function launcherOf({ dataDir }: Pick<Side, "dataDir">): number {
  return readLock(dataDir).pid;
}

function readLock(dataDir: string): { pid: number; children: number[] } {
  return JSON.parse(readFileSync(join(dataDir, "start.lock"), "utf8"));
}

async function stopAll(started: Started): Promise<void> {
  await started.stop();
  await endProcess(started.child.pid ?? 0, "SIGKILL");
}

/** Which file a process runs, of either commit. */
const names: Record<string, "front" | "web" | "worker"> = {
  front: "front",
  server: "front",
  index: "worker",
  worker: "worker",
  web: "web",
};

function pidsOf({ dataDir }: Pick<Side, "dataDir">): RunningSide["pids"] {
  const { children } = readLock(dataDir);
  const pids = { front: 0, worker: 0, web: 0, postgres: postmasterOf(dataDir), redis: 0 };
  for (const pid of children) {
    const last = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean).at(-1);
    const name = names[/(\w+)\.(mjs|ts)$/.exec(last ?? "")?.[1] ?? ""];
    if (name) pids[name] = pid;
  }
  pids.redis = Number(readFileSync(join(dataDir, "redis", "redis.pid"), "utf8"));
  const missing = Object.entries(pids).filter(([, pid]) => !(pid > 0));
  if (missing.length > 0) throw new Error(`No process found for ${missing.join(", ")}`);
  return pids;
}

/** Links that nobody visited yet, straight into the table: their codes are those of these pks. */
export async function putUnvisited(
  side: Pick<Side, "dataDir">,
  links: { pk: number; code: string }[],
): Promise<void> {
  await withClient(databaseOfSide(side), async (client) => {
    const { rows } = await client.query(
      "SELECT workspace_pk, domain_pk FROM link WHERE workspace_pk IN (SELECT pk FROM workspace WHERE NOT demo) LIMIT 1",
    );
    const { workspace_pk: workspace, domain_pk: domain } = rows[0];
    await client.query(
      `INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
      SELECT pk, gen_random_uuid(), $1, $2, key, 'https://example.com/of/usual/length?with=a&few=' || pk
      FROM unnest($3::bigint[], $4::text[]) AS new (pk, key)
      ON CONFLICT DO NOTHING`,
      [workspace, domain, links.map(({ pk }) => pk), links.map(({ code }) => code)],
    );
  });
}

/** As after a night: statistics, and nothing left to write. */
export async function settleTables(side: Pick<Side, "dataDir">): Promise<void> {
  await withClient(databaseOfSide(side), async (client) => {
    await client.query("VACUUM (ANALYZE) link");
    await client.query("CHECKPOINT");
  });
}

export function databaseOfSide({ dataDir }: Pick<Side, "dataDir">): string {
  const { databasePassword } = openSecrets(dataDir);
  return `postgres://fuxi:${databasePassword}@127.0.0.1:${peekPort(dataDir, "postgres")}/fuxi`;
}

/** Until the worker has counted every visit that was answered. Right after a pause, it may not tell how far it is behind. */
export async function counted({ workerPort }: Pick<RunningSide, "workerPort">): Promise<void> {
  for (const until = Date.now() + countedWithinMs; ; ) {
    const metrics = await (await fetch(`http://127.0.0.1:${workerPort}/metrics`)).text();
    const lag = /^fuxi_lag\{what="entries"[^}]*\} (\d+)/m.exec(metrics)?.[1];
    if (lag !== undefined && Number(lag) === 0) return;
    if (Date.now() > until) throw new Error(`The worker is still ${lag} entries behind`);
    await sleep(pollEveryMs);
  }
}

export function memoryOf({ pids }: RunningSide) {
  const of = (pid: number) => Math.round(pssMbOf(pid));
  const [front, worker, web] = [of(pids.front), of(pids.worker), of(pids.web)];
  return { front, worker, web, all: front + worker + web };
}

/** Seconds from the start of an import of a CSV file until every row is a link. */
export async function importRows(side: RunningSide, rows: number): Promise<number> {
  const api = openApi(side.url, apiKey);
  const lines = Array.from(
    { length: rows },
    (_, at) => `${productUrlOf(at)},"Product ${at}, autumn",sent by mail`,
  );
  const uploaded = await fetch(`http://127.0.0.1:${side.port}/api/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "text/csv" },
    body: `url,title,comments\r\n${lines.join("\r\n")}\r\n`,
  });
  const { id } = JSON.parse(await uploaded.text());
  const startedAt = performance.now();
  await api("POST", `/imports/${id}/start`, {});
  for (;;) {
    const { body } = await api("GET", `/imports/${id}`);
    if (body.state === "done") return (performance.now() - startedAt) / 1_000;
    if (body.state === "failed") throw new Error(`The import failed: ${JSON.stringify(body)}`);
    await sleep(pollEveryMs);
  }
}
