import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { send } from "../../../test/http-client.ts";
import { openTestSocket } from "../../../test/raw-http.ts";

const servers: Server[] = [];

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://nowhere/fuxi",
    REDIS_URL: "redis://nowhere",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
    FUXI_LOG_LEVEL: "silent",
  });
});

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A front before a web process that records its requests. Without a port the web process is unavailable. */
async function openFront({ trusted = "", upgrades = false, webPort = 0 }) {
  vi.resetModules();
  process.env["FUXI_TRUSTED_PROXIES"] = trusted;
  const { addressOf, openProxy } = await import("#lib/platform/http");
  const requests: IncomingHttpHeaders[] = [];
  const web = createServer((req, res) => {
    requests.push(req.headers);
    res.end("page");
  });
  web.on("upgrade", (req, socket) => {
    requests.push(req.headers);
    socket.end(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
  });
  const target = `http://127.0.0.1:${webPort || (await listen(web))}`;
  const proxy = openProxy(target, "https", addressOf);
  const front = createServer(proxy.pass);
  if (upgrades) front.on("upgrade", proxy.passUpgrade);
  return { requests, port: await listen(front) };
}

const claims = [
  "Forwarded: for=203.0.113.9;host=evil.example;proto=http",
  "X-Forwarded-For: 203.0.113.9",
  "X-Forwarded-Host: evil.example",
  "X-Forwarded-Proto: http",
  "X-Forwarded-Port: 1",
  "X-Forwarded-Server: evil.example",
  "X-Real-Ip: 203.0.113.9",
];

/** The forwarding headers received by the web process. */
function forwardingOf(headers: IncomingHttpHeaders | undefined): Record<string, unknown> {
  const found = Object.entries(headers ?? {}).filter(([name]) => /forwarded|real-ip/.test(name));
  return Object.fromEntries(found);
}

test.each([
  ["a page", "Connection: close"],
  ["a websocket", "Connection: Upgrade\r\nUpgrade: websocket"],
])(
  "%s is requested with forwarding headers that only the front sets",
  async (_what, connection) => {
    const { requests, port } = await openFront({ upgrades: true });
    const socket = await openTestSocket(port);
    socket.write(
      `GET /app HTTP/1.1\r\nHost: fuxi.example\r\n${connection}\r\n${claims.join("\r\n")}\r\n\r\n`,
    );
    await socket.closed;
    expect(requests.map(forwardingOf)).toEqual([
      {
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-host": "fuxi.example",
        "x-forwarded-proto": "https",
      },
    ]);
  },
);

test("of a page, an offer of another protocol ends at the front", async () => {
  const { requests, port } = await openFront({});
  const socket = await openTestSocket(port);
  const offer = "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA";
  socket.write(`GET /app HTTP/1.1\r\nHost: fuxi.example\r\n${offer}\r\n\r\n`);
  expect(await socket.closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*page/);
  const { upgrade, connection, "http2-settings": settings } = requests[0] ?? {};
  expect([upgrade, connection, settings]).toEqual([undefined, "close", undefined]);
});

test("a page of unknown length ends the connection of an HTTP/1.0 client that would keep it", async () => {
  const web = createServer((_req, res) => {
    res.write("first ");
    res.end("last");
  });
  const { port } = await openFront({ webPort: await listen(web) });
  const socket = await openTestSocket(port);
  socket.write("GET /app HTTP/1.0\r\nHost: fuxi.example\r\nConnection: keep-alive\r\n\r\n");
  const answer = await socket.closed;
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer).toMatch(/\r\n\r\nfirst last$/);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9", "203.0.113.9"],
])("of %s a trusted proxy may set %s only", async (list, address) => {
  const { requests, port } = await openFront({ trusted: "127.0.0.0/8" });
  await send(`http://127.0.0.1:${port}/`, { headers: { "X-Forwarded-For": list } });
  expect(requests[0]?.["x-forwarded-for"]).toBe(address);
});

test("while the web process is unavailable, pages are a notice with Retry-After", async () => {
  const { port } = await openFront({ webPort: 1 });
  const response = await send(`http://127.0.0.1:${port}/app`);
  expect([response.status, response.headers["retry-after"]]).toEqual([503, "2"]);
  expect(response.text).toContain("is restarting");
  expect(response.headers["content-type"]).toContain("text/plain");
});

test.each([
  ["zh-CN,zh;q=0.9", "zh-CN", "正在重启"],
  ["de,en;q=0.5", "en", "is restarting"],
])("people who read %s see a page of %s meanwhile", async (header, language, words) => {
  const { port } = await openFront({ webPort: 1 });
  const headers = { Accept: "text/html,*/*;q=0.8", "Accept-Language": header };
  const response = await send(`http://127.0.0.1:${port}/app`, { headers });
  const body = response.text;
  expect([response.status, response.headers["content-type"]]).toEqual([
    503,
    "text/html; charset=utf-8",
  ]);
  expect(body).toContain(`<html lang="${language}">`);
  expect(body).toContain(words);
});

test("a web process that dies during a page breaks the page off", async () => {
  const dying = createServer((_req, res) => {
    res.writeHead(200, { "Content-Length": "100" });
    res.write("half", () => res.destroy());
  });
  const { port } = await openFront({ webPort: await listen(dying) });
  await expect(send(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
