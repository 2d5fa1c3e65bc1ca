/** Free ports on loopback. A service prefers its previous port, so that URLs stay the same. */
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** Outgoing connections use higher ports, and could take a free one before it is used. The bus of a Redis Cluster adds 10,000. */
const lowestPort = 11_000;
const highestPort = 20_999;

export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(lowestPort, highestPort + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Error(
    `No free port was found between ${lowestPort} and ${highestPort}. End some programs.`,
  );
}

/** The service's previous port if it is free, or else another one. Stored in the data folder. */
export async function claimPort(dataDir: string, service: string): Promise<number> {
  const file = join(dataDir, `${service}.port`);
  const last = peekPort(dataDir, service);
  if (last !== undefined && (await isPortFree(last))) return last;
  const port = await findFreePort();
  writeFileSync(file, `${port}\n`);
  return port;
}

export function peekPort(dataDir: string, service: string): number | undefined {
  try {
    const port = Number(readFileSync(join(dataDir, `${service}.port`), "utf8"));
    return port > 0 ? port : undefined;
  } catch {
    return undefined;
  }
}

export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}
