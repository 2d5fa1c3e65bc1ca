/** For tests of destination checks: a server whose sites are slow, broken, redirecting, rate-limited and hostile. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach } from "vitest";
import { openLinks } from "#lib/links/creating";
import { runChecks } from "#lib/links/destination-checks";
import type { DestinationState } from "#lib/links/destination-checks/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { resetLimits } from "./limits.ts";
import { make } from "./links.ts";
import { makeCertificate } from "./proxies.ts";
import { makeTestScope } from "./scope.ts";

const hourMs = 3_600_000;
const quick = { timeoutMs: 1_500, waitMs: 20_000, restMs: 1 };
/** A minute after the test begins, so that what it makes is due. */
let start = 0;
export const at = (hours: number) => new Date(start + hours * hourMs);

type Answer = (req: IncomingMessage, res: ServerResponse, hop: number) => void;
const send =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_req, res) =>
    void res.writeHead(status, headers).end();

const ports = { plain: 0, secure: 0 };

/** What a page does, by the first part of its path, and how it must be judged. */
export const pages: Record<string, { answer: Answer; judged: DestinationState }> = {
  ok: { answer: send(200), judged: "works" },
  unchanged: { answer: send(304), judged: "works" },
  "get-only": {
    answer: (req, res) => void res.writeHead(req.method === "HEAD" ? 405 : 200).end(),
    judged: "works",
  },
  "get-broken": {
    answer: (req, res) => void res.writeHead(req.method === "HEAD" ? 501 : 404).end(),
    judged: "not_found",
  },
  // The answer has no end, and nobody reads it.
  endless: {
    answer: (req, res) => {
      if (req.method === "HEAD") return void res.writeHead(405).end();
      res.writeHead(200);
      const more = setInterval(() => res.write("x".repeat(65_536)), 5);
      res.on("close", () => clearInterval(more));
    },
    judged: "works",
  },
  missing: { answer: send(404), judged: "not_found" },
  gone: { answer: send(410), judged: "not_found" },
  fails: { answer: send(500), judged: "server_error" },
  gateway: { answer: send(502), judged: "server_error" },
  login: { answer: send(401), judged: "refused" },
  forbidden: { answer: send(403), judged: "refused" },
  odd: { answer: send(999), judged: "refused" },
  slow: { answer: () => {}, judged: "timeout" },
  reset: { answer: (req) => void req.socket.destroy(), judged: "unreachable" },
  headers: { answer: send(200, { "x-large": "x".repeat(40_000) }), judged: "unreachable" },
  moved: {
    answer: (req, res, hop) =>
      void res
        .writeHead(hop === 0 ? 301 : 200, hop === 0 ? { location: `${req.url}?hop=1` } : {})
        .end(),
    judged: "redirects",
  },
  "moved-away": {
    answer: (req, res, hop) =>
      void res
        .writeHead(hop === 0 ? 302 : 404, hop === 0 ? { location: `${req.url}?hop=1` } : {})
        .end(),
    judged: "not_found",
  },
  loop: {
    answer: (req, res, hop) =>
      void res
        .writeHead(302, { location: `${(req.url ?? "").split("?")[0]}?hop=${hop + 1}` })
        .end(),
    judged: "unchecked",
  },
  app: { answer: send(302, { location: "weixin://dl/business" }), judged: "redirects" },
  inside: { answer: send(302, { location: "http://10.0.0.1/" }), judged: "unchecked" },
  script: { answer: send(302, { location: "javascript:alert(1)" }), judged: "unchecked" },
  nowhere: { answer: send(302, { location: "http://[" }), judged: "unchecked" },
};

export const seen: { method: string; host: string; path: string; agent: string }[] = [];
const open = new Map<string, number>();
/** The most requests that a host had at a time. */
let most = 0;

function serve(req: IncomingMessage, res: ServerResponse) {
  const host = (req.headers.host ?? "").replace(/:\d+$/, "");
  seen.push({
    method: req.method ?? "",
    host,
    path: req.url ?? "",
    agent: req.headers["user-agent"] ?? "",
  });
  open.set(host, (open.get(host) ?? 0) + 1);
  most = Math.max(most, open.get(host) ?? 0);
  res.on("close", () => open.set(host, (open.get(host) ?? 1) - 1));
  const url = new URL(req.url ?? "/", "http://x");
  const kind = url.pathname.split("/")[1] ?? "";
  const answer = pages[kind]?.answer ?? others[kind] ?? send(404);
  answer(req, res, Number(url.searchParams.get("hop") ?? 0));
}

/** Pages of some tests. */
export const others: Record<string, Answer> = {
  hops: (req, res, hop) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://x");
    const left = Number(searchParams.get("left") ?? pathname.split("/")[2]);
    const more = left > 0 ? { location: `${pathname}?hop=${hop + 1}&left=${left - 1}` } : {};
    res.writeHead(left > 0 ? 302 : 200, more).end();
  },
  "to-shared": (_req, res) => void res.writeHead(302, { location: urlOn("shared", "lazy") }).end(),
  lazy: (_req, res) => void sleep(30).then(() => res.writeHead(200).end()),
  "to-short": send(302, { location: "http://localhost:3000/sale" }),
  busy: send(429, { "retry-after": "7200" }),
};

export const urlOn = (host: string, path: string) =>
  `http://${host}.localhost:${ports.plain}/${path}`;
export const secureUrlOn = (host: string, path: string) =>
  `https://${host}.localhost:${ports.secure}/${path}`;
export const mostAtOnce = () => most;

/** Opens the sites, and gives each test a workspace of its own. */
export function openTestSites(give: (ada: WorkspaceScope, nth: number) => void): void {
  let nth = 0;
  beforeAll(async () => {
    openCoherence();
    await openLinks();
    return await openSites();
  });
  beforeEach(async () => {
    nth += 1;
    give(await makeTestScope(`ada-${nth}`), nth);
    await forgetChecks();
  });
}

/** The code of what refused it, or `ok`. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) =>
      error instanceof AppError ? (error.problem?.code ?? error.code) : String(error),
  );
}

/** Returns what closes them. */
async function openSites(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-checks-"));
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  await makeCertificate(certificate, key);
  const pem = { cert: readFileSync(certificate), key: readFileSync(key) };
  const servers = [createServer(serve), createTlsServer(pem, serve)];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
  const [plain = 0, secure = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  Object.assign(ports, { plain, secure });
  return () => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Forgets the checks, visits and requests of earlier tests. */
async function forgetChecks(): Promise<void> {
  start = Date.now() + 60_000;
  await query(sql`DELETE FROM destination_check`);
  await query(sql`DELETE FROM link_stat`);
  await query(sql`UPDATE destination_walk SET walked_pk = -1, walk_at = '-infinity'`);
  await resetLimits();
  seen.length = 0;
  most = 0;
}

/** Links whose last visit was this many hours ago. */
export async function visit(scope: WorkspaceScope, urls: readonly string[], hoursAgo = 0) {
  const links = await make(
    scope,
    urls.map((url) => ({ url })),
  );
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 1, now() - ${hoursAgo} * interval '1 hour'
    FROM link
    WHERE workspace_pk = ${scope.workspacePk}
    ON CONFLICT DO NOTHING`);
  return links;
}

export async function statesOf(scope: WorkspaceScope): Promise<Map<string, string>> {
  const rows = await query<{ url: string; state: string }>(sql`
    SELECT url, state
    FROM destination_check
    WHERE workspace_pk = ${scope.workspacePk}`);
  return new Map(rows.map(({ url, state }) => [url, state]));
}

/** Checks what is due at this time. */
export async function round(hours: number): Promise<void> {
  await runChecks(at(hours), quick);
}
