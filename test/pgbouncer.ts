/** PgBouncer in transaction mode, as Debian packages it, in front of a PostgreSQL. */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findOrUnpack } from "../scripts/debian.ts";
import { findFreePort } from "../scripts/ports.ts";
import { endChild } from "../scripts/processes.ts";

export interface Pgbouncer {
  url: string;
  /** Leads to another server, which its clients do not notice. */
  pointTo: (databaseUrl: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** Fewer than the clients of a stage, so that they share. */
const serverConnections = 8;

export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const { program, env } = await findOrUnpack("pgbouncer", "usr/sbin/pgbouncer");
  const folder = mkdtempSync(join(tmpdir(), "fuxi-pgbouncer-"));
  const port = await findFreePort();
  const file = join(folder, "pgbouncer.ini");
  const { username, password } = new URL(databaseUrl);
  writeFileSync(join(folder, "users.txt"), `"${username}" "${password}"\n`);
  const write = (target: string) => {
    const { hostname, port: targetPort, pathname } = new URL(target);
    const database = pathname.slice(1);
    const lines = [
      "[databases]",
      `${database} = host=${hostname} port=${targetPort} dbname=${database}`,
      "[pgbouncer]",
      "pool_mode = transaction",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${join(folder, "users.txt")}`,
      `admin_users = ${username}`,
      `default_pool_size = ${serverConnections}`,
      "max_client_conn = 500",
      "server_login_retry = 1",
      // Longer than clients wait for a connection: they get an error instead of a late answer.
      "query_wait_timeout = 3",
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
  };
  write(databaseUrl);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  if (account.length > 0)
    for (const path of [folder, file, join(folder, "users.txt")]) chmodSync(path, 0o755);
  const child = spawn(program, [...account, file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (text: Buffer) => {
    log += text;
  });
  const url = databaseUrl.replace(new URL(databaseUrl).host, `127.0.0.1:${port}`);
  const command = async (text: string) => {
    const client = new pg.Client({ connectionString: url.replace(/\/[^/]*$/, "/pgbouncer") });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  for (;;) {
    try {
      await command("SHOW VERSION");
      break;
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    url,
    pointTo: async (target) => {
      write(target);
      await command("RELOAD");
    },
    stop: async () => {
      await endChild(child, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
