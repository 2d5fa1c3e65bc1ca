/** Several requests on one connection, and the bytes between them. */
import { beforeAll, expect, test } from "vitest";
import { timeBound } from "../../../test/bounds.ts";
import { address, makeLink, origin, requestRaw } from "../../../test/contract-server.ts";
import { openTestSocket } from "../../../test/raw-http.ts";

const port = Number(origin.port);
const last = "Connection: close\r\n";
let key = "";

beforeAll(async () => {
  ({ key } = await makeLink({ url: address("connected") }));
});

function headOf(path: string, more = "", version = "1.1"): string {
  return `GET ${path} HTTP/${version}\r\nHost: ${origin.host}\r\n${more}\r\n`;
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

test("many requests at once are answered in their order", async () => {
  const paths = Array.from({ length: 60 }, (_, at) => ["", "/", "+"][at % 3] ?? "");
  const socket = await openTestSocket(port);
  socket.write(paths.map((end) => headOf(`/${key}${end}`)).join("") + headOf("/healthz", last));
  const wanted = paths.map((end) => (end === "+" ? 200 : 302));
  expect(statusesIn(await socket.closed)).toEqual([...wanted, 200]);
});

test("a connection of HTTP/1.0 is closed after its response, unless the client requests keep-alive", async () => {
  const socket = await openTestSocket(port);
  socket.write(headOf(`/${key}`, "Connection: keep-alive\r\n", "1.0"));
  await expect.poll(socket.text).toMatch(/^HTTP\/1\.1 302 [\s\S]*\r\n\r\n$/);
  socket.write(headOf(`/${key}`, "", "1.0"));
  expect(statusesIn(await socket.closed)).toEqual([302, 302]);
});

test("a body behind a GET is not a request", async () => {
  const body = headOf("/healthz");
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const socket = await openTestSocket(port);
  socket.write(headOf(`/${key}`, `Content-Length: ${body.length}\r\n`) + body);
  socket.write(headOf(`/${key}`, "Transfer-Encoding: chunked\r\n") + chunked);
  socket.write(headOf(`/${key}`, last));
  expect(statusesIn(await socket.closed)).toEqual([302, 302, 302]);
});

test("a visit before invalid bytes is redirected, and the invalid bytes refused", async () => {
  const socket = await openTestSocket(port);
  socket.write(`${headOf(`/${key}`)}GET nonsense\r\n\r\n`);
  expect(statusesIn(await socket.closed)).toEqual([302, 400]);
});

test("64 KB of Referer and of User-Agent do not delay a page either", async () => {
  const long = "x".repeat(64 * 1024);
  const headers = [`Referer: https://a.example/${long}`, `User-Agent: ${long}`];
  const startedAt = Date.now();
  expect((await requestRaw("/signin", { headers })).status).toBe(200);
  expect(Date.now() - startedAt).toBeLessThan(timeBound(10_000));
});
