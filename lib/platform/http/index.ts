/** An HTTP server with limits, health checks and a graceful shutdown, shared by front, redirect and API. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { withTimeout } from "#lib/basics/bounds";
import { log, readStatus, renderMetrics } from "#lib/platform/log";
import { allowToClose, onClose } from "#lib/platform/processes";
import { refuseClient, refuseTunnel } from "./client-errors.ts";
import { isOperator } from "./operator.ts";
import { reduceToPath } from "./request-line.ts";

export { passAction } from "./action-body.ts";
export { addressOf, countryOf } from "./address.ts";
export { dashboardHeaders, setDashboardHeaders } from "./headers.ts";
export { mayAskForCertificates } from "./operator.ts";
export { PageFailures } from "./page-failures.ts";
export { PageGate, pageLimits } from "./page-gate.ts";
export { openProxy } from "./proxy.ts";
export { logRequest } from "./requests.ts";

/** Limits for slow or abusive clients. */
const defaults = {
  /** Path, header names and values together: 64 KB each for Referer and User-Agent, which others wrote, and 16. */
  headerBytesMax: 144 * 1024,
  /** Real clients send less than a tenth; above its own limit Node would drop lines, even a second Host. */
  headerLinesMax: 256,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  /** For requests that `isLong` accepts: two gigabytes at 300 KB a second. */
  longRequestTimeoutMs: 7_200_000,
  keepAliveMs: 65_000,
  /** How often connections are checked for the two timeouts. */
  lookEveryMs: 5_000,
  drainMs: 10_000,
};
const drainLookEveryMs = 50;
const checkTimeoutMs = 1_000;

/** Checks one dependency; throws when it is unavailable. */
export type Checks = Record<string, () => Promise<unknown>>;

export interface ServerOptions {
  port: number;
  host: string;
  onRequest: RequestListener;
  /** With it, Node no longer answers requests that merely offer another protocol, as some clients always do. */
  onUpgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  checks: Checks;
  /** Requests that may take long, because their body is a large file; their reader disconnects idle clients. */
  isLong?: (req: IncomingMessage) => boolean;
  /** From the end of the process until connections are refused. */
  leaveSeconds?: number;
  /** Limits that differ from the defaults. */
  limits?: Partial<typeof defaults>;
  /** The port is on loopback and no proxy forwards requests to it, so metrics and status need no token. */
  isLocal?: boolean;
}

/** Listens, and resolves once it does. Ends the process with an explanation when the port is unavailable. */
export async function serve(options: ServerOptions): Promise<void> {
  const { port, host, onRequest, onUpgrade, checks, isLong } = options;
  const limits = { ...defaults, ...options.limits };
  const health = openHealth(checks, options.isLocal ? () => true : isOperator);
  const server = createServer(
    {
      // Node refuses at this number, not above it.
      maxHeaderSize: limits.headerBytesMax + 1,
      // Node would otherwise use the first of two Hosts. Joined they are an invalid host.
      joinDuplicateHeaders: true,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: isLong ? limits.longRequestTimeoutMs : limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.lookEveryMs,
    },
    (req, res) => {
      // A connection that is never idle would otherwise last until it is closed by force.
      if (health.closing) res.shouldKeepAlive = false;
      // Node has one limit for all of them.
      if (isLong && hasBody(req) && !isLong(req)) enforceTimeout(req, limits.requestTimeoutMs);
      if (req.rawHeaders.length > 2 * limits.headerLinesMax) res.writeHead(431).end();
      else if (!reduceToPath(req)) res.writeHead(400).end();
      else if (!health.answer(req, res)) onRequest(req, res);
    },
  );
  // One more, so that an excess is detected and refused.
  server.maxHeadersCount = limits.headerLinesMax + 1;
  server.on("clientError", refuseClient);
  server.on("connect", refuseTunnel);
  const upgraded = new Set<Duplex>();
  if (onUpgrade) {
    server.on("upgrade", (req, socket, head) => {
      upgraded.add(socket);
      socket.once("close", () => upgraded.delete(socket));
      if (health.closing || !reduceToPath(req)) socket.destroy();
      else onUpgrade(req, socket, head);
    });
  }
  await listen(server, port, host);
  const leaveMs = (options.leaveSeconds ?? 0) * 1_000;
  allowToClose(leaveMs);
  onClose("listener", async () => {
    health.closing = true;
    // Load balancers see it in /readyz, and send no more by the time connections are refused.
    await pause(leaveMs);
    // Their requests never end, and Node no longer counts them among its connections.
    for (const socket of upgraded) socket.destroy();
    await drain(server, limits.drainMs);
  });
}

const loopback = "127.0.0.1";

/**
 * Listens on loopback for programs of the same machine, which need no token: health, metrics, status and the paths of
 * `onRequest`. On another address they need it. Port 0: no server.
 */
export async function serveLocally({
  port,
  host = loopback,
  checks,
  onRequest = (_req, res) => void res.writeHead(404).end(),
}: Pick<ServerOptions, "port" | "checks"> &
  Partial<Pick<ServerOptions, "onRequest" | "host">>): Promise<void> {
  if (port > 0) await serve({ port, host, onRequest, checks, isLocal: host === loopback });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Refuses a request whose body is late, as Node does. */
function enforceTimeout(req: IncomingMessage, afterMs: number): void {
  const timer = setTimeout(() => {
    if (req.complete) return;
    // An error captures its stack, so it is made only when it is needed.
    const timeout = new Error("Request timeout");
    refuseClient(Object.assign(timeout, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), req.socket);
  }, afterMs);
  req.once("close", () => clearTimeout(timer));
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

/** Stops accepting, lets requests end, then closes the rest. */
function drain(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that becomes idle after close() would wait for its keep-alive timeout.
    const timer = setInterval(() => server.closeIdleConnections(), drainLookEveryMs);
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearInterval(timer);
      clearTimeout(force);
      resolve();
    });
  });
}

/**
 * `/healthz`: the process runs. `/readyz`: it can serve, with the state of its dependencies.
 *
 * A process that was ready once stays ready while Postgres or Redis is unavailable: cached links keep redirecting, and
 * a load balancer that removes every process at once would turn a slow minute into an outage. The body lists what is
 * unavailable.
 */
function openHealth(checks: Checks, mayRead: (req: IncomingMessage) => boolean) {
  let wasReady = false;
  const health = {
    closing: false,
    answer(req: IncomingMessage, res: ServerResponse): boolean {
      if (req.url === "/healthz") sendJson(res, 200, { alive: true });
      else if (req.url === "/readyz") void ready(res);
      else if (req.url === "/metrics" && mayRead(req)) void sendMetrics(res);
      else if (req.url === "/status" && mayRead(req)) void sendStatus(res);
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

async function sendMetrics(res: ServerResponse): Promise<void> {
  const text = await renderMetrics();
  res.writeHead(200, { "Content-Type": "text/plain; version=0.0.4", "Cache-Control": "no-store" });
  res.end(text);
}

async function sendStatus(res: ServerResponse): Promise<void> {
  sendJson(res, 200, await readStatus());
}

async function stateOf(check: (() => Promise<unknown>) | undefined): Promise<"ok" | "away"> {
  try {
    await withTimeout(checkTimeoutMs, () => check?.());
    return "ok";
  } catch (error) {
    log.debug({ event: "check.failed", error: String(error) });
    return "away";
  }
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  res.end(text);
}
