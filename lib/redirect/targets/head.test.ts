import { once } from "node:events";
import { createServer } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSocket } from "../../../test/raw-http.ts";
import { headOf, redirectHead, writeHead } from "./head.ts";

let now = 1_000_000_000_000;
let writtenByNode = 0;
let port = 0;

/** Responds like a visit; `/node` by Node alone. */
const server = createServer((req, res) => {
  const url = `https://example.com${req.url}`;
  const byNode = res.writeHead.bind(res);
  // The overloads of writeHead are more than this test needs.
  Object.assign(res, {
    writeHead: (status: number, head: string[]) => {
      writtenByNode += 1;
      return byNode(status, head);
    },
  });
  if (req.url === "/node") res.writeHead(307, redirectHead(url, false));
  else writeHead(res, { status: 307, url, indexed: false, head: headOf(307, url, false) }, now);
  res.end();
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(...requests: string[]): Promise<string[]> {
  const socket = await openTestSocket(port);
  socket.write(requests.join(""));
  const text = await socket.closed;
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .map((answer) => answer.replace(/^Date: .*$/m, "Date").replaceAll("/node", "/x"));
}

const keep = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const last = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

test("a prepared head equals what Node itself writes, to the byte", async () => {
  writtenByNode = 0;
  now += 1_000;
  const answers = await ask(keep("/x"), keep("/x"), keep("/x"), last("/node"));
  expect(writtenByNode).toBe(2);
  expect(answers).toHaveLength(4);
  expect(answers[1]).toBe(answers[0]);
  expect(answers[2]).toBe(answers[0]);
  expect(answers[3]).toBe(
    answers[0]?.replace("Connection: keep-alive\r\nKeep-Alive: timeout=5", "Connection: close"),
  );
});

test("a connection that will be closed is announced as such, within a second that knows another tail", async () => {
  now += 1_000;
  const [first, second] = await ask(keep("/x"), last("/x"));
  expect(first).toContain("Connection: keep-alive\r\n");
  expect(second).toContain("Connection: close\r\n");
});

test("each second Node writes the first head, with its new Date", async () => {
  writtenByNode = 0;
  now += 1_000;
  await ask(keep("/x"), last("/node"));
  now += 999;
  await ask(keep("/x"), last("/node"));
  expect(writtenByNode).toBe(3);
  now += 1;
  await ask(keep("/x"), last("/node"));
  expect(writtenByNode).toBe(5);
});

test.each([
  [
    "https://bücher.example/straße?q=größe#ü",
    "https://xn--bcher-kva.example/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe#%C3%BC",
  ],
  ["https://商店.example:8443", "https://xn--czrs0t.example:8443"],
  ["HTTP://Ü.example\\ü", "HTTP://xn--tda.example\\%C3%BC"],
  ["https://ann@ü.example/@ü", "https://ann@xn--tda.example/@%C3%BC"],
  ["https://example.com/a?u=http://ü.example", "https://example.com/a?u=http://%C3%BC.example"],
  ["https://EXAMPLE.com/A%20b", "https://EXAMPLE.com/A%20b"],
  ["myapp://ü/x", "myapp://%C3%BC/x"],
])("%s becomes %s in a header", (url, location) => {
  expect(redirectHead(url)[1]).toBe(location);
  expect(headOf(302, url, false)).toContain(`\r\nLocation: ${location}\r\n`);
});

test("a Location is ASCII, and ASCII parts stay as written", () => {
  expect(redirectHead("https://example.com/a%20b?q='x'|y")[1]).toBe(
    "https://example.com/a%20b?q='x'|y",
  );
  expect(redirectHead("https://example.com/中 文")[1]).toBe(
    "https://example.com/%E4%B8%AD%20%E6%96%87",
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // A lone surrogate cannot be encoded; the API stores none.
      fc.pre(Buffer.from(text).toString() === text);
      expect(redirectHead(text)[1]).toMatch(/^[\x21-\x7e]*$/);
    }),
  );
});
