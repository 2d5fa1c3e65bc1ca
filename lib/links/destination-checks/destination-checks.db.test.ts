/** A server that is slow, broken, redirecting, rate-limited and hostile, and 500 destinations on it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { editLinkBody } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { budgets, limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { keysOf, make } from "../../../test/links.ts";
import { makeCertificate } from "../../../test/proxies.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkAgain, getDestinationCheck, listBroken, runChecks } from "./index.ts";
import type { DestinationState } from "./schema.ts";
import { hopsMax } from "./verdicts.ts";
import { pagesPerWorkspaceMax, visitedDays } from "./walk.ts";

openTestStores({ FUXI_FETCH: "loopback" });

const hourMs = 3_600_000;
const quick = { timeoutMs: 400, waitMs: 20_000 };
/** A minute after the test begins, so that what it makes is due. */
let start = 0;
const at = (hours: number) => new Date(start + hours * hourMs);

type Answer = (req: IncomingMessage, res: ServerResponse, hop: number) => void;
const send =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_req, res) =>
    void res.writeHead(status, headers).end();

let plain = 0;
let secure = 0;

/** What a page does, by the first part of its path, and how it must be judged. */
const pages: Record<string, { answer: Answer; judged: DestinationState }> = {
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

const seen: { method: string; host: string; path: string; agent: string }[] = [];
const open = new Map<string, number>();
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

const others: Record<string, Answer> = {
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

let ada: WorkspaceScope;
let made = 0;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-checks-"));
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  await makeCertificate(certificate, key);
  const pem = { cert: readFileSync(certificate), key: readFileSync(key) };
  const servers = [createServer(serve), createTlsServer(pem, serve)];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
  [plain = 0, secure = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  openCoherence();
  await openLinks();
  return () => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

beforeEach(async () => {
  made += 1;
  start = Date.now() + 60_000;
  ada = await makeTestScope(`ada-${made}`);
  await query(sql`DELETE FROM destination_check`);
  await query(sql`DELETE FROM link_stat`);
  await query(sql`UPDATE destination_walk SET walked_pk = -1, walk_at = '-infinity'`);
  await redis().flushall();
  seen.length = 0;
  most = 0;
});

const urlOn = (host: string, path: string) => `http://${host}.localhost:${plain}/${path}`;

/** Links whose last visit was this many hours ago. */
async function visit(scope: WorkspaceScope, urls: readonly string[], hoursAgo = 0) {
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

async function statesOf(scope: WorkspaceScope): Promise<Map<string, string>> {
  const rows = await query<{ url: string; state: string }>(sql`
    SELECT url, state
    FROM destination_check
    WHERE workspace_pk = ${scope.workspacePk}`);
  return new Map(rows.map(({ url, state }) => [url, state]));
}

/** All pages become due, as when a day has passed. */
async function round(hours: number) {
  await runChecks(at(hours), quick);
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) =>
      error instanceof AppError ? (error.problem?.code ?? error.code) : String(error),
  );
}

test("500 destinations on a slow, broken, redirecting, rate-limited and hostile server are judged correctly, one request per host at a time", async () => {
  const wanted = new Map<string, string>();
  const kinds = Object.keys(pages);
  for (let n = 0; wanted.size < 470; n++) {
    const kind = kinds[n % kinds.length] ?? "";
    // Slow pages have hosts of their own, because three of them end the round of a host.
    const host = kind === "slow" ? `slow-${n}` : `h${Math.floor(n / kinds.length) % 20}`;
    wanted.set(urlOn(host, `${kind}/${n}`), pages[kind]?.judged ?? "");
  }
  for (let n = 0; n < 10; n++) {
    wanted.set(`http://gone-${n}.example/`, "dns");
    wanted.set(`https://tls-${n}.localhost:${secure}/ok`, "certificate");
    wanted.set(urlOn(`busy-${n}`, "busy"), "refused");
  }
  expect(wanted.size).toBe(500);
  await visit(ada, [...wanted.keys()]);
  await round(0);
  const first = await statesOf(ada);
  const broken = ["server_error", "not_found", "certificate", "dns", "timeout", "unreachable"];
  expect([...first.values()].filter((state) => broken.includes(state))).toEqual([]);
  for (const hours of [1.1, 2.2, 3.3]) await round(hours);
  expect(await statesOf(ada)).toEqual(wanted);
  expect(most).toBe(1);
  expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(["HEAD", "GET"]));
  const got = seen.filter(({ method }) => method === "GET").map(({ path }) => path.split("/")[1]);
  expect(new Set(got)).toEqual(new Set(["get-only", "get-broken", "endless"]));
  expect(new Set(seen.map(({ agent }) => agent))).toEqual(
    new Set(["Mozilla/5.0 (compatible; FuxiLinkCheck/1.0; +http://localhost:3000/docs/checks)"]),
  );
}, 240_000);

test("sites that redirect to one host get one request at a time", async () => {
  await visit(
    ada,
    [...Array(15)].map((_, n) => urlOn(`r${n}`, "to-shared")),
  );
  await round(0);
  expect(new Set((await statesOf(ada)).values())).toEqual(new Set(["redirects"]));
  expect(seen.filter(({ host }) => host === "shared.localhost")).toHaveLength(15);
  expect(most).toBe(1);
}, 60_000);

test("a destination is broken after two failures an hour apart, which managers are told once per host and day", async () => {
  const member = await joinTestScope(ada, `member-${made}`, "member");
  await query(sql`
    INSERT INTO webhook (
      id, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links,
      ordered, sealed)
    VALUES ('wh_broken', ${ada.workspacePk}, 'W', '', 'dub', '{destination.broken}', '{}', '{}', '{}',
      false, false, '')`);
  const [link] = await visit(ada, [urlOn("shop", "missing/1"), urlOn("shop", "fails/2")]);
  const id = link?.id ?? "";
  const told = async (scope = ada) =>
    (await listNotifications(scope)).map(({ kind, details }) => [kind, details?.["host"]]);
  await round(0);
  expect(await getDestinationCheck(ada, id)).toMatchObject({
    state: "unchecked",
    status: 404,
    failingSince: expect.any(String),
  });
  await checkAgain(ada, id, at(0.5));
  await round(0.9);
  expect((await getDestinationCheck(ada, id)).state).toBe("unchecked");
  expect(await told()).toEqual([]);
  expect(await keysOf(ada, { status: "broken" })).toEqual([]);
  await Promise.all([round(1.05), round(1.05)]);
  expect((await getDestinationCheck(ada, id)).state).toBe("not_found");
  expect(await told()).toEqual([["destination.broken", "shop.localhost"]]);
  expect(await told(member)).toEqual([]);
  expect(await keysOf(ada, { status: "broken" })).toHaveLength(2);
  for (const hours of [4, 10, 30]) await round(hours);
  expect(await told()).toHaveLength(1);
  const events = await query<{ events: { type: string; data: unknown }[] }>(
    sql`SELECT events FROM webhook_outbox WHERE workspace_pk = ${ada.workspacePk}`,
  );
  expect(events.flatMap((row) => row.events)).toEqual([
    expect.objectContaining({
      type: "destination.broken",
      data: expect.objectContaining({
        destination: expect.objectContaining({ host: "shop.localhost" }),
      }),
    }),
  ]);
});

test("managers get one email a day, however many hosts are broken", async () => {
  await visit(ada, [urlOn("shop", "missing/1"), urlOn("blog", "missing/2")]);
  for (const hours of [0, 1.05]) await round(hours);
  const notices = await query<{ mail: boolean }>(sql`
    SELECT mail_due AS mail FROM notice
    WHERE workspace_pk = ${ada.workspacePk} AND kind = 'destination.broken'
    ORDER BY mail_due`);
  expect(notices).toEqual([{ mail: false }, { mail: true }]);
});

test("a destination that works again is no longer broken", async () => {
  let status = 500;
  others["mended"] = (_req, res) => void res.writeHead(status).end();
  const [link] = await visit(ada, [urlOn("mended", "mended")]);
  for (const hours of [0, 1]) await round(hours);
  expect([...(await listBroken(ada, [link ?? { id: "", url: "" }])).values()]).toEqual([
    "server_error",
  ]);
  status = 200;
  await round(3.1);
  expect(await getDestinationCheck(ada, link?.id ?? "")).toMatchObject({
    state: "works",
    status: 200,
    failingSince: null,
  });
  expect(await keysOf(ada, { status: "broken" })).toEqual([]);
});

test("a million links to a page cost one check, whatever their fragments are", async () => {
  const page = urlOn("one", "gone");
  const links = await visit(ada, [page, page, `${page}#a`, `${page}#b`]);
  for (const hours of [0, 1]) await round(hours);
  expect(seen).toHaveLength(2);
  expect((await keysOf(ada, { status: "broken" })).sort()).toEqual(
    links.map(({ key }) => key).sort(),
  );
  expect((await listBroken(ada, links)).size).toBe(4);
});

test("links that nobody visited lately, links of campaigns and links that are off are not checked", async () => {
  const edge = visitedDays * 24;
  await visit(ada, [urlOn("old", "ok")], edge + 1);
  await visit(ada, [urlOn("new", "ok")], edge - 1);
  const campaign = { source: "campaign", prefill: false } as const;
  const externalId = `rcp_${"0".repeat(26)}`;
  await make(ada, [{ url: urlOn("campaign", "ok"), externalId }], campaign);
  await make(ada, [{ url: urlOn("off", "ok"), disabled: true }, { url: "weixin://dl/business" }]);
  await visit(ada, []);
  await round(0);
  expect(seen.map(({ host }) => host)).toEqual(["new.localhost"]);
});

test("a page is forgotten when its link leads elsewhere, and waits while nobody visits it", async () => {
  const [link] = await visit(ada, [urlOn("before", "ok"), urlOn("kept", "ok")]);
  await round(0);
  await editLink(ada, link?.id ?? "", editLinkBody.parse({ url: urlOn("after", "ok") }));
  await round(25);
  expect([...(await statesOf(ada)).keys()]).not.toContain(urlOn("before", "ok"));
  const count = seen.length;
  await query(sql`UPDATE link_stat SET last_click_at = now() - interval '8 days'`);
  await query(sql`UPDATE destination_check SET visited_at = now() - interval '8 days'`);
  await round(60);
  expect(seen).toHaveLength(count);
});

test("short links of this instance are followed without a request, up to the limit of hops", async () => {
  await make(ada, [{ url: urlOn("end", "gone"), key: "sale" }]);
  await visit(ada, [
    urlOn("outside", "to-short"),
    urlOn("most", `hops/${hopsMax}`),
    urlOn("many", `hops/${hopsMax + 1}`),
  ]);
  for (const hours of [0, 1.1]) await round(hours);
  const states = await statesOf(ada);
  expect(states.get(urlOn("outside", "to-short"))).toBe("not_found");
  expect(states.get(urlOn("most", `hops/${hopsMax}`))).toBe("redirects");
  expect(states.get(urlOn("many", `hops/${hopsMax + 1}`))).toBe("unchecked");
  expect(seen.some(({ host }) => host === "localhost")).toBe(false);
});

test("a host gets as many requests a day as its budget allows, of all workspaces together", async () => {
  const eve = await makeTestScope(`eve-${made}`);
  const { max } = budgets.destinationChecksPerHost;
  await redis().set("limit:destinationChecksPerHost:busy.localhost", max - 2, "PX", 60_000);
  await visit(ada, [urlOn("busy", "ok/1"), urlOn("busy", "ok/2")]);
  await visit(eve, [urlOn("busy", "ok/3"), urlOn("busy", "ok/4")]);
  await round(0);
  expect(seen).toHaveLength(2);
  // Both workspaces got a part of it.
  expect([...(await statesOf(ada)).values()]).toContain("works");
  expect([...(await statesOf(eve)).values()]).toContain("works");
});

test("a workspace has at most so many pages, and others are not pushed out", async () => {
  const [link] = await make(ada, [{ url: urlOn("x", "ok") }]);
  await query(sql`
    INSERT INTO destination_check (workspace_pk, url_hash, url, host, link_pk, visited_at, next_at)
    SELECT ${ada.workspacePk}, sha256(convert_to(n::text, 'UTF8')), n::text, 'h', -2, now(), 'infinity'
    FROM generate_series(2, ${pagesPerWorkspaceMax}) AS n`);
  await checkAgain(ada, link?.id ?? "");
  const [other] = await make(ada, [{ url: urlOn("y", "ok") }]);
  expect(await codeOf(checkAgain(ada, other?.id ?? ""))).toBe("destination_pages_used_up");
  await visit(ada, []);
  await round(0);
  expect((await statesOf(ada)).size).toBe(pagesPerWorkspaceMax);
});

test("people can check again as often as the limit allows; viewers, other workspaces and hidden links cannot", async () => {
  const [link] = await make(ada, [{ url: urlOn("again", "ok") }]);
  const id = link?.id ?? "";
  const viewer = await joinTestScope(ada, `viewer-${made}`, "viewer");
  const eve = await makeTestScope(`eve-${made}`);
  expect(await codeOf(checkAgain(viewer, id))).toBe("forbidden");
  expect(await codeOf(checkAgain(eve, id))).toBe("not_found");
  expect(await codeOf(getDestinationCheck(eve, id))).toBe("not_found");
  const member = await joinTestScope(ada, `member-${made}`, "member");
  const closed = createFolderBody.parse({ name: "closed", accessLevel: null });
  const folderId = (await createFolder(ada, closed)).id;
  const [hidden] = await make(ada, [{ url: urlOn("hidden", "ok"), folderId }]);
  expect(await codeOf(checkAgain(member, hidden?.id ?? ""))).toBe("not_found");
  const { max } = limits.destinationCheckPerWorkspace;
  for (let n = 0; n < max; n++) expect(await codeOf(checkAgain(ada, id))).toBe("ok");
  expect(await codeOf(checkAgain(ada, id))).toBe("rate_limit_exceeded");
  await round(0);
  expect(await getDestinationCheck(viewer, id)).toMatchObject({ state: "works", status: 200 });
  expect(seen).toHaveLength(1);
  const [app] = await make(ada, [{ url: "weixin://dl/business" }]);
  await redis().flushall();
  expect(await codeOf(checkAgain(ada, app?.id ?? ""))).toBe("destination_no_page");
});

test("a workspace learns nothing from the checks of another one", async () => {
  const url = urlOn("both", "ok");
  await visit(ada, [url]);
  await round(0);
  const eve = await makeTestScope(`eve-${made}`);
  const [link] = await make(eve, [{ url }]);
  expect(await getDestinationCheck(eve, link?.id ?? "")).toMatchObject({
    state: "unchecked",
    checkedAt: null,
  });
});

test("while this instance has no network, nothing is called broken", async () => {
  const down = new Set<string>();
  others["net"] = (req, res) => {
    if (down.size > 0) req.socket.destroy();
    else res.writeHead(200).end();
  };
  const urls = [1, 2, 3].map((n) => urlOn(`net-${n}`, "net"));
  await visit(ada, urls);
  await round(0);
  down.add("all");
  await query(sql`UPDATE destination_check SET next_at = now() WHERE host <> 'net-3.localhost'`);
  for (const hours of [1, 2.5, 4]) await round(hours);
  expect(new Set((await statesOf(ada)).values())).toEqual(new Set(["works"]));
  expect(await query(sql`SELECT FROM destination_check WHERE failing_since IS NOT NULL`)).toEqual(
    [],
  );
});

test("without requests to other servers, nothing is checked", async () => {
  const [link] = await visit(ada, [urlOn("none", "ok")]);
  Object.assign(config(), { FUXI_FETCH: "none" });
  try {
    await round(0);
    expect([seen, [...(await statesOf(ada))]]).toEqual([[], []]);
    expect(await codeOf(checkAgain(ada, link?.id ?? ""))).toBe("destinations_unchecked");
  } finally {
    Object.assign(config(), { FUXI_FETCH: "loopback" });
  }
});
