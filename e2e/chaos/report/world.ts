/**
 * What faults strike: an own PostgreSQL and Redis on small disks where mounting is permitted, one process of each kind
 * that is restarted when it ends, and a proxy on every connection between two of them.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasEnded } from "../../../scripts/processes.ts";
import { startRedis } from "../../../scripts/redis.ts";
import { TcpProxy } from "../../../test/tcp-proxy.ts";
import {
  describeOwnPostgres,
  entries,
  existingPid,
  type Kind,
  keepAlive,
  openStage,
  type Process,
  type Stage,
} from "../stage.ts";
import { findFaketime } from "./clock.ts";

const redisDiskMegabytes = 512;
const spoolDiskMegabytes = 32;

export const kinds = ["redirect", "api", "worker"] as const;
export const stores = ["PostgreSQL", "Redis"] as const;
type Store = (typeof stores)[number];

interface Member {
  process: { current: Process };
  /** Applied when it starts the next time. */
  settings: Record<string, string>;
  /** Between it and each store. */
  proxies: Record<Store, TcpProxy>;
}

export interface World {
  stage: Stage;
  pids: Record<Store, () => number>;
  members: Record<Kind, Member>;
  /** Between clients and the redirect, and clients and the API. */
  clients: Record<"redirect" | "api", TcpProxy>;
  /** The addresses that clients use. They stay the same when a process is restarted. */
  urls: Record<"redirect" | "api", string>;
  /** Folders that are small disks; undefined where this machine does not permit mounting. */
  disks: { redis: string; spool: string } | undefined;
  /** The library that shifts clocks; undefined where it is not available. */
  faketime: string | undefined;
  /** The file with the shift of clocks. */
  clockFile: string;
  close: () => Promise<void>;
}

export async function openWorld(): Promise<World> {
  const postgres = describeOwnPostgres();
  const folder = mkdtempSync(join(tmpdir(), "fuxi-chaos-disks-"));
  const disks = mountDisks(folder);
  let redisFolder = "";
  const stage = await openStage((dataDir) => {
    redisFolder = disks?.redis ?? dataDir;
    return startRedis({ dataDir: redisFolder, password: "chaos", report: () => undefined });
  }, postgres.open);
  const redisPid = () =>
    existingPid(Number(readFileSync(join(redisFolder, "redis", "redis.pid"), "utf8")));
  const faketime = await findFaketime();
  const clockFile = join(folder, "clock");
  writeFileSync(clockFile, "+0");
  const members = {
    redirect: await startMember(stage, "redirect", disks),
    api: await startMember(stage, "api", disks),
    worker: await startMember(stage, "worker", disks),
  };
  const clients = { redirect: new TcpProxy(), api: new TcpProxy() };
  const urls = {
    redirect: await clients.redirect.open(members.redirect.process.current.url),
    api: await clients.api.open(members.api.process.current.url),
  };
  const proxies = [
    ...Object.values(clients),
    ...Object.values(members).flatMap((member) => Object.values(member.proxies)),
  ];
  return {
    stage,
    pids: { PostgreSQL: postgres.pid, Redis: redisPid },
    members,
    clients,
    urls: { redirect: withoutSlash(urls.redirect), api: withoutSlash(urls.api) },
    disks,
    faketime,
    clockFile,
    close: async () => {
      await stage.clear();
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await stage.close();
      if (disks) for (const disk of Object.values(disks)) execFileSync("umount", ["-l", disk]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The processes that have ended and do not serve again yet. */
export function listEnded({ members }: World): Kind[] {
  return kinds.filter((kind) => hasEnded(members[kind].process.current.child));
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

/** A process that keeps its port, so that the proxy of its clients finds it again. */
async function startMember(stage: Stage, kind: Kind, disks: World["disks"]): Promise<Member> {
  const proxies = { PostgreSQL: new TcpProxy(), Redis: new TcpProxy() };
  const settings: Record<string, string> = {
    DATABASE_URL: await proxies.PostgreSQL.open(String(stage.env["DATABASE_URL"])),
    REDIS_URL: await proxies.Redis.open(stage.redisUrl),
    // The spool is in this folder. Files of imports are not part of these tests.
    ...(disks && kind === "redirect" ? { FUXI_DATA_DIR: disks.spool } : {}),
  };
  const process = await keepAlive(stage, entries[kind], settings);
  settings["PORT"] = new URL(process.current.url).port;
  return { process, settings, proxies };
}

/** Two disks in memory; undefined where mounting is not permitted. */
function mountDisks(folder: string): World["disks"] {
  const redis = join(folder, "redis");
  const spool = join(folder, "spool");
  try {
    mountDisk(redis, redisDiskMegabytes);
    mountDisk(spool, spoolDiskMegabytes);
    return { redis, spool };
  } catch {
    return undefined;
  }
}

function mountDisk(folder: string, megabytes: number): void {
  mkdirSync(folder);
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder];
  execFileSync("mount", options, { stdio: "ignore" });
}
