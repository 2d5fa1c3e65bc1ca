/** Free ports on loopback. A service prefers its previous port, so that URLs stay the same. */
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

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
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
