/** A listening server with limits, health, and an end that loses nobody: what front, redirect and API share. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { onClose } from "#lib/lifetime";
import { log } from "#lib/log";

export { addressOf } from "./address.ts";
export { dashboardHeaders, setDashboardHeaders } from "./headers.ts";
export { openProxy } from "./proxy.ts";

const headerBytesMax = 16 * 1024;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 60_000;
const keepAliveMs = 65_000;
const drainMs = 10_000;
const checkTimeoutMs = 1_000;

/** Asks one dependency; throws when it is away. */
export type Checks = Record<string, () => Promise<unknown>>;

export interface Serving {
  port: number;
  host: string;
  onRequest: RequestListener;
  onUpgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  checks: Checks;
}

/** Listens, and resolves once it does. Ends the process with an explanation when the port is not to be had. */
export async function serve({ port, host, onRequest, onUpgrade, checks }: Serving): Promise<void> {
  const health = openHealth(checks);
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 5_000,
    },
    (req, res) => {
      if (!health.answer(req, res)) onRequest(req, res);
    },
  );
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });
  if (onUpgrade) server.on("upgrade", onUpgrade);
  await listen(server, port, host);
  onClose("listener", () => {
    health.closing = true;
    return drain(server);
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is in use. Set PORT to another one.`
          : `Cannot listen on ${host}:${port}: ${error.message}`;
      process.stderr.write(`${reason}\n`);
      process.exit(1);
    });
    server.listen(port, host, () => resolve());
  });
}

/** Stops accepting, lets requests end, then closes what is left. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * `/healthz`: the process lives. `/readyz`: it can serve, and what it depends on.
 *
 * A process that was ready once stays ready while Postgres or Redis is away: cached links keep redirecting, and a
 * balancer that takes every process out at once would turn a slow minute into an outage. The body says what is away.
 */
function openHealth(checks: Checks) {
  let wasReady = false;
  const health = {
    closing: false,
    answer(req: IncomingMessage, res: ServerResponse): boolean {
      if (req.url === "/healthz") sendJson(res, 200, { alive: true });
      else if (req.url === "/readyz") void ready(res);
      else return false;
      return true;
    },
  };
  async function ready(res: ServerResponse): Promise<void> {
    const names = Object.keys(checks);
    const states = await Promise.all(names.map((name) => stateOf(checks[name])));
    const dependencies = Object.fromEntries(names.map((name, at) => [name, states[at]]));
    wasReady ||= states.every((state) => state === "ok");
    const isReady = wasReady && !health.closing;
    sendJson(res, isReady ? 200 : 503, { ready: isReady, ...dependencies });
  }
  return health;
}

async function stateOf(check: (() => Promise<unknown>) | undefined): Promise<"ok" | "away"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), checkTimeoutMs);
  });
  try {
    await Promise.race([check?.(), late]);
    return "ok";
  } catch (error) {
    log.debug({ event: "check.failed", error: String(error) });
    return "away";
  } finally {
    clearTimeout(timer);
  }
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  res.end(text);
}
