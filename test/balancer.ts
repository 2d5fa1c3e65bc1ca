/** HAProxy before several processes of each kind, with the settings of the file in deploy/ but without TLS. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOrUnpack } from "../scripts/debian.ts";
import { findFreePort } from "../scripts/ports.ts";
import { endChild } from "../scripts/processes.ts";
import { fileOf, listens } from "./proxies.ts";

export interface Balancer {
  /** By the name of the kind. */
  urls: Record<string, string>;
  stop: () => Promise<void>;
}

/** `kinds`: the ports of the processes of each kind, and the path and status that say that one serves. */
export async function startBalancer(
  folder: string,
  kinds: Record<string, { ports: readonly string[]; health: [path: string, status: number] }>,
): Promise<Balancer> {
  const haproxy = await findOrUnpack("haproxy", "usr/sbin/haproxy");
  mkdirSync(folder, { recursive: true });
  const given = fileOf("haproxy");
  const defaults = given.slice(given.indexOf("defaults\n"), given.indexOf("frontend public"));
  const backend = given.slice(given.indexOf("\nbackend fronts")).split("\n").slice(2);
  const shared = backend.filter((line) => !line.includes("\tserver "));
  const urls: Record<string, string> = {};
  const sections: string[] = [];
  for (const [kind, { ports, health }] of Object.entries(kinds)) {
    const port = await findFreePort();
    urls[kind] = `http://127.0.0.1:${port}`;
    sections.push(
      `frontend ${kind}`,
      `\tbind 127.0.0.1:${port}`,
      "\thttp-request disable-l7-retry if !METH_GET",
      `\tdefault_backend ${kind}s`,
      `backend ${kind}s`,
      ...shared.map((line) =>
        line.replace("/readyz", health[0]).replace("status 200", `status ${health[1]}`),
      ),
      ...ports.map((at, number) => `\tserver ${kind}${number} 127.0.0.1:${at}`),
    );
  }
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, `${defaults}\n${sections.join("\n")}\n`);
  const child = spawn(haproxy.program, ["-db", "-f", file], {
    env: { ...process.env, ...haproxy.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const url of Object.values(urls)) {
    while (!(await listens(Number(new URL(url).port)))) {
      if (child.exitCode !== null) throw new Error("HAProxy ended before it was ready");
    }
  }
  return { urls, stop: () => endChild(child, "SIGTERM") };
}
