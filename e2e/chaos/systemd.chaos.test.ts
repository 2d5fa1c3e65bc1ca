/** The units of deploy/systemd, run by systemd as the first process of a container. Needs root. Only with --long. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { databaseOf, onServer, withDatabase } from "../../scripts/databases.ts";
import { findOrUnpack } from "../../scripts/debian.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { run } from "../../scripts/processes.ts";
import { runAsItStands } from "../../test/documents.ts";
import { send } from "../../test/http-client.ts";

import { writeBase } from "./image.ts";
import { openStage, type Stage, visitOnce } from "./stage.ts";

const buildMaxMs = 1_800_000;
const testMaxMs = 300_000;
const soon = { timeout: 120_000, interval: 500 };
const lastMigration = "20261130130400_backup_time";
const folder = mkdtempSync(join(tmpdir(), "fuxi-systemd-"));
const root = join(folder, "root");
const ports: string[] = [];
let stage: Stage;
let podman: (...args: string[]) => ReturnType<typeof run>;

beforeAll(async () => {
  stage = await openStage();
  for (let at = 0; at < 4; at++) ports.push(String(await findFreePort()));
  await writeBase(root, ["systemd", "systemd-sysv", "dbus"]);
  symlinkSync("/usr/local/bin/node", join(root, "usr/bin/node"));
  cpSync("deploy/systemd", join(root, "etc/systemd/system"), { recursive: true });
  const built = await runAsItStands(`npm run build:deployment -- ${root}/srv/fuxi-1`, {});
  expect(built.status, `${built.stdout}${built.stderr}`).toBe(0);
  symlinkSync("/srv/fuxi-1", join(root, "srv/fuxi"));
  writeSettings(String(stage.env["DATABASE_URL"]));
  podman = await openPodman();
  await start();
  await must("useradd", "--system", "--no-create-home", "fuxi");
}, buildMaxMs);

afterAll(async () => {
  await podman?.("rm", "--force", "--time", "30", "fuxi");
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openPodman() {
  const { program, env } = await findOrUnpack("podman");
  const runc = await findOrUnpack("runc", "usr/sbin/runc");
  const conmon = await findOrUnpack("conmon");
  const places = ["--root", join(folder, "pod"), "--runroot", join(folder, "run")];
  const tools = ["--runtime", runc.program, "--conmon", conmon.program];
  const all = ["--storage-driver=vfs", ...tools, ...places];
  return (...args: string[]) => run(program, [...all, ...args], { env, timeoutMs: testMaxMs });
}

async function start(): Promise<void> {
  const limits = ["--ulimit", "nofile=1024:20000", "--ulimit", "nproc=1024:1024"];
  const kind = ["--network=host", "--privileged", "--systemd=always", ...limits];
  const { code, stderr } = await podman(
    ...["run", "--detach", "--name", "fuxi", ...kind, "--rootfs", root, "/sbin/init"],
  );
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await vi.waitFor(async () => {
    const { stdout } = await podman("exec", "fuxi", "systemctl", "is-system-running");
    expect(stdout.trim()).toMatch(/^(running|degraded)$/);
  }, soon);
}

/** What an administrator writes: the settings of all processes, and a port for each front. */
function writeSettings(databaseUrl: string): void {
  const own = Object.entries(stage.env).filter(
    ([name, value]) => /^(FUXI_|REDIS_)/.test(name) && value && name !== "FUXI_DATA_DIR",
  );
  const [first = "", second = "", web = "", worker = ""] = ports;
  const settings = {
    ...Object.fromEntries(own),
    DATABASE_URL: databaseUrl,
    FUXI_URL: `http://127.0.0.1:${first}`,
    FUXI_WEB_URL: `http://127.0.0.1:${web}`,
    FUXI_WORKER_PORT: worker,
    FUXI_LOG_LEVEL: "info",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  mkdirSync(join(root, "etc"), { recursive: true });
  writeFileSync(join(root, "etc/fuxi.env"), lines.join(""), { mode: 0o600 });
  writeFileSync(join(root, "etc/fuxi.front-1.env"), `PORT=${first}\n`);
  writeFileSync(join(root, "etc/fuxi.front-2.env"), `PORT=${second}\n`);
}

/** The output of a command in the container, which must succeed. */
async function must(...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await podman("exec", "fuxi", ...command);
  expect(code, `${command.join(" ")}: ${stdout}${stderr}`).toBe(0);
  return stdout.trim();
}

const property = (unit: string, name: string) =>
  must("systemctl", "show", "--value", "--property", name, unit);

const logOf = (unit: string) => must("journalctl", "--no-pager", "--output=cat", "--unit", unit);

const isReady = (at: number) =>
  vi.waitFor(
    async () => expect((await send(`http://127.0.0.1:${ports[at]}/readyz`)).status).toBe(200),
    soon,
  );

test("a process waits for the migration that the database lacks; migrating lets it start, and can be repeated", {
  timeout: testMaxMs,
}, async () => {
  await stage.db.query("ALTER TABLE installation DROP COLUMN backed_up_at");
  await stage.db.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [lastMigration]);
  await must("systemctl", "start", "fuxi@front-1");
  await vi.waitFor(async () => {
    expect(await logOf("fuxi@front-1")).toContain(
      `lacks migrations of this version: ${lastMigration}`,
    );
  }, soon);
  const units = ["fuxi-migrate", "fuxi@front-1", "fuxi@front-2", "fuxi@web", "fuxi@worker"];
  await must("systemctl", "enable", "--now", ...units);
  await Promise.all([isReady(0), isReady(1)]);
  expect(await logOf("fuxi-migrate")).toContain(`applied ${lastMigration}`);
  const pid = await property("fuxi@front-1", "MainPID");
  await must("systemctl", "start", "fuxi-migrate");
  expect(await logOf("fuxi-migrate")).toContain("up to date");
  expect(await property("fuxi@front-1", "MainPID")).toBe(pid);
});

test("a new folder replaces the version of one front after the other, and the other front keeps answering", {
  timeout: testMaxMs,
}, async () => {
  cpSync(join(root, "srv/fuxi-1"), join(root, "srv/fuxi-2"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await must("ln", "-sfn", "/srv/fuxi-2", "/srv/fuxi");
  await must("systemctl", "start", "fuxi-migrate");
  for (const [at, name] of ["front-1", "front-2"].entries()) {
    const restarting = must("systemctl", "restart", `fuxi@${name}`);
    const answer = await visitOnce(`http://127.0.0.1:${ports[1 - at]}/nothing-here`);
    expect(answer).toMatchObject({ status: 404 });
    await restarting;
    await isReady(at);
    const pid = await property(`fuxi@${name}`, "MainPID");
    expect(await must("readlink", `/proc/${pid}/cwd`)).toBe("/srv/fuxi-2");
  }
});

test("a process with wrong settings is not started again", { timeout: testMaxMs }, async () => {
  writeFileSync(join(root, "etc/fuxi.front-2.env"), `PORT=${ports[1]}\nFUXI_CODE_TWEAK=wrong\n`);
  await must("systemctl", "restart", "fuxi@front-2");
  await vi.waitFor(async () => {
    expect(await property("fuxi@front-2", "ActiveState")).toBe("failed");
  }, soon);
  expect(await property("fuxi@front-2", "ExecMainStatus")).toBe("78");
  expect(await property("fuxi@front-2", "NRestarts")).toBe("0");
});

test("a backup of the service restores into an empty database with the command of the guide", {
  timeout: testMaxMs,
}, async () => {
  await must("systemctl", "start", "fuxi-backup");
  const [name = ""] = (await must("ls", "/var/lib/fuxi/backups")).split("\n");
  await must("systemctl", "stop", "fuxi@front-1", "fuxi@web", "fuxi@worker");
  const url = String(stage.env["DATABASE_URL"]);
  const empty = `${databaseOf(url)}_empty`;
  await onServer(url, `CREATE DATABASE ${empty}`);
  try {
    writeSettings(withDatabase(url, empty));
    const restored = await must(
      ...["systemd-run", "--pipe", "--wait", "--uid=fuxi", "--working-directory=/srv/fuxi"],
      ...["-p", "EnvironmentFile=/etc/fuxi.env", "-E", "NODE_ENV=production"],
      ...["-E", "FUXI_DATA_DIR=/var/lib/fuxi", "node", "bootstrap.mjs", "restore"],
      `/var/lib/fuxi/backups/${name}`,
    );
    expect(restored).toMatch(/\d+ rows of \d+ tables restored/);
    await must("systemctl", "start", "fuxi@front-1", "fuxi@web");
    await isReady(0);
    await must("systemctl", "stop", "fuxi@front-1", "fuxi@web");
  } finally {
    await onServer(url, `DROP DATABASE ${empty} WITH (FORCE)`);
  }
});
