/**
 * A PostgreSQL primary with a streaming replica, for a test that loses the primary. Commits wait for the replica, so
 * that it has every acknowledged one. The replica is a copy of the stopped primary, because the package of PostgreSQL
 * has no pg_basebackup.
 */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../scripts/postgres.ts";

const standbyName = "second";
const shared = { shared_buffers: "64MB", hot_standby: "on" };

interface RunningPostgres {
  url: string;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
}

export interface PostgresPair {
  primary: RunningPostgres;
  replica: RunningPostgres;
  /** Makes the replica the primary, and resolves once it can write. */
  promote: () => Promise<void>;
  /** Pauses and resumes the replica, which then falls behind. */
  pauseReplay: (isPaused: boolean) => Promise<void>;
  stop: () => Promise<void>;
}

/** `prepare` fills the primary before it is copied. */
export async function startPostgresPair(
  prepare: (databaseUrl: string) => Promise<void>,
): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-pair-"));
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const path of [first, second]) mkdirSync(path);
  const options = { password: "pair", report: () => undefined };
  const empty = await startPostgres({ ...options, dataDir: first });
  await prepare(empty.url);
  await empty.stop();
  copyFolder(join(first, "postgres"), join(second, "postgres"));
  const primary = await startPostgres({
    ...options,
    dataDir: first,
    extraSettings: { ...shared, synchronous_standby_names: standbyName, wal_level: "replica" },
  });
  const { port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=fuxi password=pair application_name=${standbyName}`;
  const data = join(second, "postgres");
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  writeFileSync(join(data, "standby.signal"), "");
  const { uid, gid } = statSync(data);
  chownSync(join(data, "standby.signal"), uid, gid);
  const replica = await startPostgres({ ...options, dataDir: second, extraSettings: shared });
  await untilTrue(
    primary.url,
    "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')",
  );
  return {
    primary,
    replica,
    promote: () => untilTrue(replica.url, "SELECT pg_promote()"),
    pauseReplay: (isPaused) =>
      ask(replica.url, `SELECT pg_wal_replay_${isPaused ? "pause" : "resume"}()`).then(
        () => undefined,
      ),
    stop: async () => {
      await Promise.all([primary.stop("SIGKILL"), replica.stop("SIGKILL")]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With the owners and modes of the files: the server refuses others. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const own = (path: string, like: string) => {
    const found = statSync(like);
    chownSync(path, found.uid, found.gid);
    // Node 22 and newer give copied folders the usual mode.
    chmodSync(path, found.mode);
    if (!found.isDirectory()) return;
    for (const name of readdirSync(path)) own(join(path, name), join(like, name));
  };
  own(to, from);
}

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function untilTrue(url: string, text: string): Promise<void> {
  while ((await ask(url, text)) !== true) await new Promise((resolve) => setTimeout(resolve, 50));
}
