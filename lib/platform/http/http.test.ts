import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findFreePort } from "../../../scripts/ports.ts";
import { run } from "../../../scripts/processes.ts";
import { send } from "../../../test/http-client.ts";
import { openTestSocket } from "../../../test/raw-http.ts";

type Serving = Parameters<typeof import("#lib/platform/http").serve>[0];

let close: () => Promise<void> = () => Promise.resolve();

beforeAll(() => {
  process.env["FUXI_LOG_LEVEL"] = "silent";
});

afterEach(async () => {
  await close();
});

const answerOk: RequestListener = (_req, res) => void res.end("ok");

/** Serves like a process of its own: never ready and never closed before. */
async function open(serving: Partial<Serving>): Promise<number> {
  vi.resetModules();
  const { serve } = await import("#lib/platform/http");
  ({ closeAll: close } = await import("#lib/platform/processes"));
  const port = await findFreePort();
  await serve({ port, host: "127.0.0.1", onRequest: answerOk, checks: {}, ...serving });
  return port;
}

async function readReady(port: number): Promise<unknown> {
  const { status, text } = await send(`http://127.0.0.1:${port}/readyz`);
  return { status, body: JSON.parse(text) };
}

describe("health", () => {
  const unavailable = () => Promise.reject(new Error("away"));
  const available = () => Promise.resolve();

  test("a process that never reached all its stores is not ready and names the unavailable one", async () => {
    const port = await open({ checks: { postgres: available, redis: unavailable } });
    expect(await readReady(port)).toEqual({
      status: 503,
      body: { ready: false, postgres: "ok", redis: "away" },
    });
  });

  test("a process that was ready stays ready while a store is unavailable, and reports it", async () => {
    let redis = available;
    const port = await open({ checks: { postgres: available, redis: () => redis() } });
    const ready = { ready: true, postgres: "ok", redis: "ok" };
    expect(await readReady(port)).toEqual({ status: 200, body: ready });
    redis = unavailable;
    expect(await readReady(port)).toEqual({ status: 200, body: { ...ready, redis: "away" } });
  });

  test("a store that does not answer within a second counts as unavailable", async () => {
    const port = await open({ checks: { redis: () => new Promise(() => undefined) } });
    expect(await readReady(port)).toEqual({ status: 503, body: { ready: false, redis: "away" } });
  });

  test("a process without stores lives and is not cached", async () => {
    const port = await open({ checks: { postgres: unavailable } });
    const response = await send(`http://127.0.0.1:${port}/healthz`);
    expect([response.status, JSON.parse(response.text)]).toEqual([200, { alive: true }]);
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  test("a process that is closing is not ready", async () => {
    const port = await open({});
    const late = await openTestSocket(port);
    late.write("GET /readyz HTTP/1.1\r\n");
    await expect.poll(() => readReady(port)).toMatchObject({ status: 200 });
    const closed = close();
    late.write("Host: localhost\r\n\r\n");
    expect(await late.closed).toMatch(/^HTTP\/1\.1 503 [\s\S]*\{"ready":false\}/);
    await closed;
  });
});

describe("the end", () => {
  test("a websocket does not delay the end", async () => {
    const port = await open({
      onUpgrade: (_req, socket) =>
        void socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        ),
    });
    const socket = await openTestSocket(port);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await expect.poll(socket.text).toContain("101");
    await close();
    await socket.closed;
  });

  test("a request in flight is answered, and its idle connection does not delay the end", async () => {
    const held: ServerResponse[] = [];
    const port = await open({ onRequest: (_req, res) => void held.push(res) });
    const socket = await openTestSocket(port);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => held.length).toBe(1);
    const closed = close();
    held[0]?.end("answered");
    expect(await socket.closed).toContain("answered");
    await closed;
  });

  test("a connection that is never idle ends with its next response", async () => {
    const held: ServerResponse[] = [];
    const port = await open({ onRequest: (_req, res) => void held.push(res) });
    const socket = await openTestSocket(port);
    socket.write("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => held.length).toBe(1);
    const closed = close();
    socket.write("GET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => held.length).toBe(3);
    for (const res of held) res.end("answered");
    const answers = (await socket.closed).split("HTTP/1.1 200").slice(1);
    expect(answers).toHaveLength(2);
    expect(answers[1]).toContain("Connection: close");
    await closed;
  });

  test("a request without a response is cut off", async () => {
    let requested = false;
    const port = await open({
      onRequest: () => {
        requested = true;
      },
      limits: { drainMs: 100 },
    });
    const socket = await openTestSocket(port);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => requested).toBe(true);
    await close();
    await socket.closed;
  });
});

describe("limits", () => {
  /** A head whose path, names and values have this many bytes. */
  function headOf(bytes: number): string {
    const rest = bytes - "/HostaConnectioncloseX".length;
    return `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${"x".repeat(rest)}\r\n\r\n`;
  }

  test.each([
    [144 * 1024, "200 OK"],
    [144 * 1024 + 1, "431 Request Header Fields Too Large"],
    [1024 * 1024, "431 Request Header Fields Too Large"],
  ])("a head of %i bytes is answered with %s", async (bytes, status) => {
    const socket = await openTestSocket(await open({}));
    socket.write(headOf(bytes));
    expect(await socket.closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
  });

  test.each([
    [256, "200 OK"],
    [257, "431 Request Header Fields Too Large"],
    [5_000, "431 Request Header Fields Too Large"],
  ])("a head of %i lines is answered with %s", async (lines, status) => {
    const socket = await openTestSocket(await open({}));
    const more = "X: y\r\n".repeat(lines - 2);
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`);
    expect(await socket.closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
  });

  test("invalid HTTP is refused, and a client that stays connected does not delay the end", async () => {
    const socket = await openTestSocket(await open({}));
    socket.write("\x16\x03\x01\x02\x00\r\n\r\n");
    expect(await socket.closed).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  test.each(["CONNECT a:443", "BREW /x", "get /x"])(
    "%s names a method that no path supports",
    async (line) => {
      const socket = await openTestSocket(await open({}));
      socket.write(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(await socket.closed).toMatch(
        /^HTTP\/1\.1 405 Method Not Allowed\r\nAllow: GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE\r\n/,
      );
    },
  );

  test("headers that come slowly are cut off", async () => {
    const limits = { headersTimeoutMs: 200, lookEveryMs: 20 };
    const socket = await openTestSocket(await open({ limits }));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n");
    const drip = setInterval(() => socket.write("X: y\r\n"), 20);
    expect(await socket.closed).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  test("connections that send nothing are closed without an answer, some at a time", async () => {
    const limits = { headersTimeoutMs: 200, lookEveryMs: 20 };
    const port = await open({ limits });
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openTestSocket(port)));
    expect(new Set(await Promise.all(sockets.map(({ closed }) => closed)))).toEqual(new Set([""]));
  });

  test("a body that comes slowly is cut off", async () => {
    const limits = { headersTimeoutMs: 200, requestTimeoutMs: 200, lookEveryMs: 20 };
    const onRequest: RequestListener = (req, res) => void req.resume().on("end", () => res.end());
    const socket = await openTestSocket(await open({ onRequest, limits }));
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
    const drip = setInterval(() => socket.write("x"), 20);
    expect(await socket.closed).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  test("where some requests may be long, only those outlive the limit of the others", async () => {
    const limits = { headersTimeoutMs: 200, requestTimeoutMs: 200, lookEveryMs: 20 };
    const onRequest: RequestListener = (req, res) => void req.resume().on("end", () => res.end());
    const isLong = (req: IncomingMessage) => req.url === "/long";
    const port = await open({ onRequest, limits, isLong });
    const upload = async (path: string) => {
      const socket = await openTestSocket(port);
      const head = "Host: a\r\nConnection: close\r\nContent-Length: 30\r\n\r\n";
      socket.write(`POST ${path} HTTP/1.1\r\n${head}`);
      let sent = 0;
      const drip = setInterval(() => {
        socket.write("x");
        sent += 1;
        if (sent === 30) clearInterval(drip);
      }, 20);
      const answer = await socket.closed;
      clearInterval(drip);
      return answer.slice(0, 12);
    };
    expect(await Promise.all([upload("/long"), upload("/other")])).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 408",
    ]);
  });

  test("a response that takes longer than headers and bodies may is not cut off", async () => {
    const limits = { headersTimeoutMs: 50, requestTimeoutMs: 50, lookEveryMs: 10 };
    const onRequest: RequestListener = (_req, res) => void setTimeout(() => res.end("late"), 200);
    const socket = await openTestSocket(await open({ onRequest, limits }));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await socket.closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*late/);
  });
});

describe("a connection", () => {
  const whole = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  /** The statuses of a connection's responses, until it is closed. */
  async function statusesOf(text: string, serving: Partial<Serving> = {}): Promise<string[]> {
    const socket = await openTestSocket(await open(serving));
    socket.write(text);
    return [...(await socket.closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) =>
      String(status),
    );
  }

  test("that continues with invalid bytes gets its responses first, then is refused and closed", async () => {
    const late: RequestListener = (_req, res) => void setTimeout(() => res.end("late"), 50);
    const requested = `${whole("/1")}${whole("/2")}GET nonsense\r\n\r\n`;
    expect(await statusesOf(requested, { onRequest: late })).toEqual(["200", "200", "400"]);
  });

  test("on which a response has begun gets no second head inside it", async () => {
    const begin: RequestListener = (_req, res) => {
      res.writeHead(200, { "Content-Length": "10" });
      res.write("begin");
    };
    const socket = await openTestSocket(await open({ onRequest: begin }));
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    await expect.poll(socket.text).toMatch(/begin$/);
    socket.write("nonsense\r\n");
    expect(await socket.closed).toMatch(/begin$/);
  });

  test("that requested a tunnel and broke off does not end the process", async () => {
    const port = await open({});
    const tunnels = Array.from({ length: 50 }, async () => {
      const socket = connect(port, "127.0.0.1");
      socket.write("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", () => socket.resetAndDestroy());
      await once(socket, "close");
    });
    await Promise.all(tunnels);
    expect((await send(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  test.each([
    ["two lengths", "Content-Length: 1\r\nContent-Length: 2"],
    ["a length and chunks", "Content-Length: 1\r\nTransfer-Encoding: chunked"],
    ["a folded line", "X: a\r\n b"],
    ["a name with a blank behind it", "X : a"],
    ["a bare CR", "X: a\rY: b"],
    ["NUL", "X: a\0b"],
  ])("with %s in its head is refused and closed", async (_name, line) => {
    expect(await statusesOf(`GET / HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`)).toEqual(["400"]);
  });
});

test("a port in use ends the process with advice", async () => {
  const port = await open({});
  const program = `
    import { serve } from "#lib/platform/http";
    await serve({ port: ${port}, host: "127.0.0.1", onRequest: () => {}, checks: {} });`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  const { code, stderr } = await run(process.execPath, args);
  expect([code, stderr]).toEqual([
    1,
    `Port ${port} on 127.0.0.1 is in use. Set PORT to another one.\n`,
  ]);
});
