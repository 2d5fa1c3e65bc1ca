/** An HTTP server with limits, health checks and a graceful shutdown. */

import { createHash, timingSafeEqual } from "node:crypto";
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
import { config } from "#lib/platform/config";
import { crashingParts, log, readStatus, renderMetrics, requestLog } from "#lib/platform/log";
import { allowToClose, onClose } from "#lib/platform/processes";
import { refuseClient, refuseTunnel } from "./client-errors.ts";

export { passAction } from "./action-body.ts";
export { addressOf, countryOf } from "./address.ts";
export { dashboardHeaders, setDashboardHeaders } from "./headers.ts";
export { PageFailures } from "./page-failures.ts";
export { PageGate, pageLimits } from "./page-gate.ts";
export { openProxy } from "./proxy.ts";

const defaults = {
  /** 64 KB each for Referer and User-Agent, which visitors cannot choose, and 16 KB for the rest. */
  headerBytesMax: 144 * 1024,
  /** Clients send less than a tenth. Above its own limit Node drops lines, even a second Host. */
  headerLinesMax: 256,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  longRequestTimeoutMs: 7_200_000,
  keepAliveMs: 65_000,
  lookEveryMs: 5_000,
  drainMs: 10_000,
};
const drainLookEveryMs = 50;
const checkTimeoutMs = 1_000;

/** Each check throws when its dependency is unavailable. */
type Checks = Record<string, () => Promise<unknown>>;

interface ServerOptions {
  port: number;
  host: string;
  onRequest: RequestListener;
  /** With it, Node no longer answers requests that merely offer another protocol. */
  onUpgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  checks: Checks;
  /** Requests with large bodies, whose reader disconnects idle clients. */
  isLong?: (req: IncomingMessage) => boolean;
  leaveSeconds?: number;
  limits?: Partial<typeof defaults>;
  /** The port is on loopback and no proxy leads to it, so metrics and status need no token. */
  isLocal?: boolean;
}

/** Resolves when the server listens. Exits with an explanation when the port is unavailable. */
export async function serve(options: ServerOptions): Promise<void> {
  const { port, host, onRequest, onUpgrade, checks, isLong } = options;
  const limits = { ...defaults, ...options.limits };
  const health = openHealth(checks, options.isLocal ? () => true : isOperator);
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax + 1,
      // Node would use the first of two Host headers. Joined, they are an invalid host.
      joinDuplicateHeaders: true,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: isLong ? limits.longRequestTimeoutMs : limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.lookEveryMs,
    },
    (req, res) => {
      // A connection that is never idle would stay until it is closed by force.
      if (health.closing) res.shouldKeepAlive = false;
      // Node only has one timeout for all requests, so enforce the shorter one here.
      if (isLong && hasBody(req) && !isLong(req)) enforceTimeout(req, limits.requestTimeoutMs);
      if (req.rawHeaders.length > 2 * limits.headerLinesMax) res.writeHead(431).end();
      else if (!reduceToPath(req)) res.writeHead(400).end();
      else if (!health.answer(req, res)) onRequest(req, res);
    },
  );
  // One more, so that an excess is noticed and refused.
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
    // Load balancers see /readyz fail and stop sending.
    await pause(leaveMs);
    // Upgraded connections never end, and Node no longer counts them.
    for (const socket of upgraded) socket.destroy();
    await drain(server, limits.drainMs);
  });
}

const loopback = "127.0.0.1";

/** For programs of this machine, which need no token. Port 0: no server. */
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

function enforceTimeout(req: IncomingMessage, afterMs: number): void {
  const timer = setTimeout(() => {
    if (req.complete) return;
    // Errors capture their stack, so this one is made only when needed.
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
 * `/healthz`: the process runs. `/readyz`: it can serve. It stays ready while a store is unavailable:
 * cached links keep redirecting, and losing every process would turn a slow minute into an outage.
 */
function openHealth(checks: Checks, mayRead: (req: IncomingMessage) => boolean) {
  let wasReady = false;
  const health = {
    closing: false,
    answer(req: IncomingMessage, res: ServerResponse): boolean {
      if (req.url === "/healthz") sendJson(res, 200, { alive: true });
      else if (req.url === "/readyz") void ready(res);
      else return answerOperator(req, res);
      return true;
    },
  };
  /** Without a token, these are paths like others. */
  function answerOperator(req: IncomingMessage, res: ServerResponse): boolean {
    const send = { "/metrics": sendMetrics, "/status": sendStatus }[req.url ?? ""];
    if (!send) return false;
    if (mayRead(req)) void send(res);
    else if (req.headers.authorization && config().FUXI_OPERATOR_TOKEN) refuseToken(res);
    else return false;
    return true;
  }
  async function ready(res: ServerResponse): Promise<void> {
    const names = Object.keys(checks);
    const states = await Promise.all(names.map((name) => stateOf(checks[name])));
    const dependencies = Object.fromEntries(names.map((name, at) => [name, states[at]]));
    wasReady ||= states.every((state) => state === "ok");
    const isReady = wasReady && !health.closing;
    const crashing = crashingParts();
    sendJson(res, isReady ? 200 : 503, {
      ready: isReady,
      ...dependencies,
      ...(crashing.length > 0 ? { crashing } : {}),
    });
  }
  return health;
}

function refuseToken(res: ServerResponse): void {
  res.writeHead(401, { "Content-Type": "text/plain", "WWW-Authenticate": "Bearer" });
  res.end("Wrong token. Send FUXI_OPERATOR_TOKEN as a Bearer token.\n");
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

/** Not by address: a proxy on this machine may forward visitors without any header. */
function isOperator(req: IncomingMessage): boolean {
  // defence: metrics-token
  return isToken(bearerOf(req), config().FUXI_OPERATOR_TOKEN);
}

/** The token is in the query or a Bearer token. */
export function mayAskForCertificates(req: IncomingMessage, token: string | null): boolean {
  // defence: certificate-token
  return isToken(token ?? bearerOf(req), config().FUXI_CERTIFICATE_TOKEN);
}

function bearerOf({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

function isToken(given: string, token: string | undefined): boolean {
  return token !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Logged without the query, which may contain private data. Visits are counted instead. */
export function logRequest(req: IncomingMessage, res: ServerResponse, requestId: string): void {
  const startedAt = performance.now();
  // Tokens of shares and gateways are secret.
  const path = (req.url ?? "")
    .split("?", 1)[0]
    ?.replace(/^(\/share|\/api\/campaigns\/receipts)\/[^/]+/, "$1/…");
  res.once("close", () => {
    requestLog.info({
      event: "request.done",
      requestId,
      method: req.method,
      path,
      status: res.writableEnded ? res.statusCode : 499, // 499: the client disconnected
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    });
  });
}

const slash = 0x2f;
const absoluteUrl = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i;

/** The host of an absolute URL replaces the header. False: no path, such as `*`. */
export function reduceToPath(req: IncomingMessage): boolean {
  const url = req.url ?? "";
  if (url.charCodeAt(0) === slash) return true;
  const [, host, rest = ""] = absoluteUrl.exec(url) ?? [];
  // With two Hosts (joined, see `serve`), a proxy in front may have used either.
  if (host === undefined || req.headers.host?.includes(",")) return false;
  req.headers.host = host;
  req.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}
