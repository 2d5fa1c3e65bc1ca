/**
 * Two servers of PostgreSQL under Patroni with etcd, behind HAProxy, all as Debian packages them, with the settings of
 * deploy/postgres but on one machine.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { ensureDatabase, onServer } from "../scripts/databases.ts";
import { findOrUnpack, peekUnpacked, unpackDebianPackages } from "../scripts/debian.ts";
import { findFreePorts } from "../scripts/ports.ts";
import { chooseAccount, withAccount } from "../scripts/postgres-account.ts";
import { endChild } from "../scripts/processes.ts";
import { debianPython } from "./debian-python.ts";
import { listens } from "./proxies.ts";

const packages = ["patroni", "python3-etcd", "etcd-server", "postgresql-15"];
const password = "patroni-of-a-test";
const names = ["postgres1", "postgres2"] as const;

interface Server {
  name: string;
  port: number;
  restPort: number;
  dataDir: string;
  child?: ChildProcess;
}

export interface PatroniCluster {
  /** Through HAProxy. */
  primaryUrl: string;
  replicasUrl: string;
  /** What this server itself says. */
  urlOfPrimary: () => Promise<string>;
  /** The primary ends with its Patroni, as a machine that loses its power. */
  killPrimary: () => Promise<void>;
  /** Until Patroni has promoted a replica. */
  untilPrimary: () => Promise<void>;
  stop: () => Promise<void>;
}

async function openTools() {
  const unpacked =
    peekUnpacked("patroni") ?? (await unpackDebianPackages("patroni", packages, console.log));
  const folder = resolve(unpacked.folder);
  // A package that the machine has is not unpacked once more.
  const pathOf = (path: string) =>
    existsSync(join(folder, path)) ? join(folder, path) : join("/", path);
  return { python: debianPython(unpacked), pathOf };
}

export async function startPatroni(): Promise<PatroniCluster> {
  const { python, pathOf } = await openTools();
  const folder = mkdtempSync(join(tmpdir(), "fuxi-patroni-"));
  const account = await chooseAccount(join(folder, "none"));
  if (account.ids) chownSync(folder, account.ids.uid, account.ids.gid);
  const log = openSync(join(folder, "log"), "a");
  const ports = await findFreePorts(8);
  const [etcdPort = 0, peerPort = 0, primaryPort = 0, replicasPort = 0, ...serverPorts] = ports;
  const start = (program: string, args: string[]) =>
    spawn(...withAccount(account, program, args), {
      env: python.env,
      cwd: folder,
      stdio: ["ignore", log, log],
    });
  const etcd = start(pathOf("usr/bin/etcd"), etcdArgs(folder, etcdPort, peerPort));
  while (!(await listens(etcdPort))) await untilStarted(etcd, folder);

  const servers: Server[] = names.map((name, at) => ({
    name,
    port: serverPorts[2 * at] ?? 0,
    restPort: serverPorts[2 * at + 1] ?? 0,
    dataDir: join(folder, name),
  }));
  for (const server of servers) {
    const file = join(folder, `${server.name}.json`);
    const settings = settingsOf(
      server,
      etcdPort,
      dirname(pathOf("usr/lib/postgresql/15/bin/pg_ctl")),
    );
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(settings), { mode: 0o644 });
    server.child = start(python.program, [pathOf("usr/bin/patroni"), file]);
    while (!(await isUp(server))) await untilStarted(server.child, folder);
  }
  while (!(await Promise.all(servers.map((server) => has(server, "/sync")))).includes(true)) {
    await sleep(100);
  }
  const proxy = await startProxy(folder, servers, { primaryPort, replicasPort });
  const urlAt = (port: number) => `postgres://postgres:${password}@127.0.0.1:${port}/fuxi`;
  const primary = async () => {
    for (const server of servers) if (await has(server, "/primary")) return server;
    return;
  };
  const untilPrimary = async () => {
    while ((await primary()) === undefined) await sleep(100);
  };
  await untilPrimary();
  await ensureDatabase(urlAt((await primary())?.port ?? 0));
  // Until its first checks, HAProxy takes all servers for good ones.
  await untilRecovery(urlAt(primaryPort), false);
  await untilRecovery(urlAt(replicasPort), true);
  return {
    primaryUrl: urlAt(primaryPort),
    replicasUrl: urlAt(replicasPort),
    urlOfPrimary: async () => urlAt((await primary())?.port ?? 0),
    killPrimary: async () => {
      const lost = await primary();
      if (lost) await kill(lost);
    },
    untilPrimary,
    stop: async () => {
      await endChild(proxy, "SIGKILL");
      await Promise.all(servers.map(kill));
      await endChild(etcd, "SIGKILL");
      closeSync(log);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function etcdArgs(folder: string, port: number, peerPort: number): string[] {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const data = join(folder, "etcd");
  return [
    ...["--data-dir", data, "--listen-client-urls", clients, "--advertise-client-urls", clients],
    ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers],
    ...["--initial-cluster", `default=${peers}`],
  ];
}

/** The settings of the example, with other addresses, folders and passwords. */
function settingsOf(server: Server, etcdPort: number, binDir: string): object {
  const given = parse(readFileSync("deploy/postgres/patroni.yml", "utf8"));
  const rest = `127.0.0.1:${server.restPort}`;
  const address = `127.0.0.1:${server.port}`;
  const accounts = Object.entries<object>(given.postgresql.authentication);
  const { pg_hba: rules } = given.postgresql;
  return {
    ...given,
    name: server.name,
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    restapi: { listen: rest, connect_address: rest },
    postgresql: {
      ...given.postgresql,
      listen: address,
      connect_address: address,
      data_dir: server.dataDir,
      bin_dir: binDir,
      authentication: Object.fromEntries(
        accounts.map(([name, one]) => [name, { ...one, password }]),
      ),
      pg_hba: rules.map((rule: string) => rule.replace("10.0.0.0/24", "127.0.0.1/32")),
      parameters: { unix_socket_directories: "", shared_buffers: "64MB" },
    },
  };
}

async function has(server: Server, path: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${server.restPort}${path}`)).ok;
  } catch {
    return false;
  }
}

async function untilRecovery(url: string, wanted: boolean): Promise<void> {
  for (;;) {
    const [row] = await onServer(url, "SELECT pg_is_in_recovery()::text AS datname").catch(
      () => [],
    );
    if (row?.datname === String(wanted)) return;
    await sleep(100);
  }
}

async function isUp(server: Server): Promise<boolean> {
  return (await has(server, "/primary")) || (await has(server, "/replica"));
}

async function untilStarted({ exitCode }: ChildProcess, folder: string): Promise<void> {
  if (exitCode !== null) throw new Error(readFileSync(join(folder, "log"), "utf8"));
  await sleep(100);
}

async function kill(server: Server): Promise<void> {
  if (server.child) await endChild(server.child, "SIGKILL");
  const file = join(server.dataDir, "postmaster.pid");
  if (!existsSync(file)) return;
  try {
    process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function startProxy(
  folder: string,
  servers: readonly Server[],
  { primaryPort, replicasPort }: { primaryPort: number; replicasPort: number },
): Promise<ChildProcess> {
  const haproxy = await findOrUnpack("haproxy", "usr/sbin/haproxy");
  let settings = readFileSync("deploy/postgres/haproxy.cfg", "utf8")
    .replace(":5000", `:${primaryPort}`)
    .replace(":5001", `:${replicasPort}`)
    .replace(/ port 8008/g, "");
  for (const [at, { name, port, restPort }] of servers.entries()) {
    settings = settings.replaceAll(
      `server ${name} 10.0.0.${at + 1}:5432`,
      `server ${name} 127.0.0.1:${port} port ${restPort}`,
    );
  }
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, settings);
  const child = spawn(haproxy.program, ["-db", "-f", file], {
    env: { ...process.env, ...haproxy.env },
    stdio: "ignore",
  });
  while (!(await listens(primaryPort))) await untilStarted(child, folder);
  return child;
}
