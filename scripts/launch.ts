/**
 * Starts and stops Fuxi for `npm start` and `npm run dev`.
 *
 * Start: data folder → stores and migrations, while everything that changed is built → seed → processes. Stop: front (drains and
 * flushes its clicks), worker (ingests the last clicks), web, Redis, PostgreSQL; each one waits for the previous one to end. A
 * signal during the start aborts at the next step.
 */
import { mkdirSync } from "node:fs";
import { migrate } from "../prisma/migrate.ts";
import {
  buildEnvironment,
  completeEnvironment,
  describeInstance,
  type NodeEnv,
} from "./environment.ts";
import { type DataLock, lockDataFolder } from "./lock.ts";
import { claimPort, findFreePort, isPortFree } from "./ports.ts";
import { Advice, explain } from "./processes.ts";
import { openSecrets } from "./secrets.ts";
import { demoFor, needsSeed, readInstanceState, seed } from "./seed.ts";
import { startServices } from "./services.ts";
import { type SupervisedPart, Supervisor } from "./supervisor.ts";

/** In the order in which they stop. */
const parts = [
  { name: "front", source: "server.ts", serves: true },
  { name: "worker", source: "workers/index.ts", serves: false },
  { name: "web", source: "workers/web.ts", serves: true },
];

export function partsWith(argsOf: ArgsOf): SupervisedPart[] {
  return parts.map(({ source, ...part }) => ({ ...part, args: argsOf(source) }));
}

type ArgsOf = (source: string) => string[];

interface LaunchMode {
  nodeEnv: NodeEnv;
  argsOf: ArgsOf;
  /** Runs while the stores are starting, so it must not use them. */
  prepare: (run: {
    env: NodeJS.ProcessEnv;
    report: (line: string) => void;
    signal: AbortSignal;
  }) => Promise<void>;
  watch: (supervisor: Supervisor) => () => void;
}

const startedAt = Date.now();

function report(line: string): void {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${seconds} s  ${line}\n`);
}

export async function launch(mode: LaunchMode): Promise<never> {
  // The output may end first (npm start | head), but the stores must still be stopped.
  process.stdout.on("error", () => undefined);
  const stopping = new AbortController();
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (stopping.signal.aborted) return report("still stopping; please wait, no data is lost");
        report("stopping: writing the last clicks, then PostgreSQL and Redis");
        stopping.abort();
        resolve();
      });
    }
  });
  let exitCode = 0;
  try {
    const givenUp = await startAll(mode, closers, stopping.signal);
    await Promise.race([signalled, givenUp()]);
  } catch (error) {
    if (!stopping.signal.aborted) {
      exitCode = error instanceof Advice ? error.exitCode : 1;
      process.stderr.write(`\n${explain(error)}\n\n`);
      stopping.abort();
    }
  }
  const started = closers.length > 0;
  for (const close of closers.reverse()) await close();
  if (started) report("stopped");
  process.exit(exitCode);
}

async function startAll(
  mode: LaunchMode,
  closers: (() => Promise<unknown> | unknown)[],
  signal: AbortSignal,
): Promise<() => Promise<never>> {
  const { host, port, url, dataDir } = describeInstance(process.env);
  mkdirSync(dataDir, { recursive: true });
  const lock = await lockDataFolder(dataDir, url);
  closers.push(() => lock.release());
  await refuseUsedPort(host, port);

  const { env, state } = await openStores(mode, { dataDir, closers, signal });
  const wantsSeed = needsSeed(state, env);
  if (wantsSeed) await seed(mode.argsOf, env, "inherit");
  signal.throwIfAborted();

  const { supervisor, givenUp } = supervise(mode, env, lock);
  closers.push(() => supervisor.stop());
  // A part that hangs while it starts must not block Ctrl-C.
  signal.addEventListener("abort", () => void supervisor.stop());
  await supervisor.start();
  closers.push(mode.watch(supervisor));
  const { hasOwner } = wantsSeed ? await readInstanceState(String(env["DATABASE_URL"])) : state;
  printSummary(url, dataDir, hasOwner, supervisor.starting());
  return () => givenUp;
}

interface Opening {
  dataDir: string;
  closers: (() => Promise<unknown> | unknown)[];
  signal: AbortSignal;
}

/** Opens the stores and builds at the same time, because the first needs the disk and the second the CPU. */
async function openStores(mode: LaunchMode, { dataDir, closers, signal }: Opening) {
  const failed = new AbortController();
  const openAll = async () => {
    const services = await startServices({ dataDir, report, signal });
    closers.push(() => services.stop());
    signal.throwIfAborted();
    const webPort = await claimPort(dataDir, "web");
    const { nodeEnv } = mode;
    const created = { ...services, webPort, nodeEnv, secrets: openSecrets(dataDir) };
    const env = completeEnvironment({ ...process.env, FUXI_DEMO: demoFor(process.env) }, created);
    const applied = await migrate(process.env["DATABASE_DIRECT_URL"] || services.databaseUrl);
    report(
      applied.length > 0 ? `applied ${applied.length} migrations` : "the database is up to date",
    );
    return { env, state: await readInstanceState(services.databaseUrl) };
  };
  const [opened, prepared] = await Promise.allSettled([
    openAll().catch((error: unknown) => {
      failed.abort();
      throw error;
    }),
    mode.prepare({
      env: buildEnvironment(process.env),
      report,
      signal: AbortSignal.any([signal, failed.signal]),
    }),
  ]);
  // Throws only now, so that nothing is still starting while the rest is stopped.
  if (opened.status === "rejected") throw opened.reason;
  if (prepared.status === "rejected") throw prepared.reason;
  signal.throwIfAborted();
  return opened.value;
}

function supervise(mode: LaunchMode, env: NodeJS.ProcessEnv, lock: DataLock) {
  let giveUp: (reason: Advice) => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  // Avoids an unhandled rejection before this is awaited. A later await still sees the rejection.
  givenUp.catch(() => undefined);
  const supervisor = new Supervisor({
    parts: partsWith(mode.argsOf),
    env,
    output: "inherit",
    report,
    onChildren: lock.putChildren,
    onGiveUp: (reason, exitCode) => giveUp(new Advice(`${reason}; stopping everything.`, exitCode)),
  });
  return { supervisor, givenUp };
}

async function refuseUsedPort(host: string, port: number): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new Advice(
    `Port ${port} on ${host} is in use. Set PORT to a free one, for example: PORT=${await findFreePort()} npm start`,
  );
}

function printSummary(
  url: string,
  dataDir: string,
  hasOwner: boolean,
  starting: readonly string[],
): void {
  const door = hasOwner ? `${url}/signin` : `${url}/signup (the first account becomes the owner)`;
  report(starting.length > 0 ? `ready; still starting: ${starting.join(", ")}` : "ready");
  process.stdout.write(
    `\n  Fuxi     ${url}\n  Sign in  ${door}\n  Data     ${dataDir}\n  Stop     Ctrl-C\n\n`,
  );
}
