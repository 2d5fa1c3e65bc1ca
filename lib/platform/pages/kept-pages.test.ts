import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync } from "node:zlib";
import compression from "compression";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { send } from "../../../test/http-client.ts";
import { bytesMax, KeptPages } from "./kept.ts";

const nonces = ["A".repeat(22), "B".repeat(22)].map((one) => `${one}==`);
let server: Server;
let origin: string;
let pages: KeptPages;
let renders: { url: string; cookie: string }[];
let status: number;
let padding: string;

/** As workers/web.ts compresses. Its types are those of Express. */
const compress = compression() as unknown as (
  req: IncomingMessage,
  res: ServerResponse,
  next: () => void,
) => void;

beforeAll(async () => {
  server = createServer((req, res) => compress(req, res, () => render(req, res)));
  const render = (req: IncomingMessage, res: ServerResponse) => {
    if (pages.answer(req, res)) return;
    const cookie = String(req.headers.cookie);
    renders.push({ url: String(req.url), cookie });
    res.statusCode = status;
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.setHeader("Link", `</a.js>; rel=preload; nonce="${req.headers["x-nonce"]}"`);
    res.setHeader("Cache-Control", "private, no-store");
    const zone = '\\"timeZone\\":\\"UTC\\"';
    // Next.js does it too: what compresses has set its header then.
    res.flushHeaders();
    res.end(`<p>${cookie}</p><script nonce="${req.headers["x-nonce"]}">${zone}</script>${padding}`);
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  pages = new KeptPages();
  renders = [];
  status = 200;
  padding = "";
});

function ask(path: string, headers: Record<string, string> = {}) {
  return send(origin, { path, headers: { "X-Nonce": nonces[0] ?? "", ...headers } });
}

test("a page of the API reference is rendered once for each language and theme, whatever else a request says", async () => {
  await ask("/docs/api/links");
  for (let at = 0; at < 20; at++) {
    const other = { Cookie: `x=${at}; session=a`, "User-Agent": `agent ${at}`, "X-Other": `${at}` };
    expect((await ask(`/docs/api/links?x=${at}`, other)).status).toBe(200);
  }
  expect(renders).toEqual([{ url: "/docs/api/links", cookie: "locale=en; theme=system" }]);
  const chinese = { "Accept-Language": "zh-CN,zh;q=0.9" };
  expect((await ask("/docs/api/links", chinese)).text).toContain("locale=zh; theme=system");
  await ask("/docs/api/links", { Cookie: "locale=zh" });
  await ask("/docs/api/links", { Cookie: "theme=dark" });
  await ask("/docs/api/links", { Cookie: "theme=nonsense" });
  expect(renders.map(({ cookie }) => cookie)).toEqual([
    "locale=en; theme=system",
    "locale=zh; theme=system",
    "locale=en; theme=dark",
  ]);
});

test("a kept page has the headers of the first, and the nonce and the time zone of this visitor alone", async () => {
  const first = await ask("/docs/api");
  const second = await ask("/docs/api", {
    "X-Nonce": nonces[1] ?? "",
    Cookie: "zone=Europe%2FBerlin",
  });
  expect(renders).toHaveLength(1);
  expect(second.text).toContain(`nonce="${nonces[1]}"`);
  expect(second.text).not.toContain(nonces[0]);
  expect(second.text).toContain('\\"timeZone\\":\\"Europe/Berlin\\"');
  expect(second.headers.link).toContain(`nonce="${nonces[1]}"`);
  expect(second.headers["cache-control"]).toBe(first.headers["cache-control"]);
  const hostile = await ask("/docs/api", { Cookie: 'zone="></script><b>' });
  expect(hostile.text).toBe(first.text);
});

test("other pages, parts for scripts and pages that were not found are not kept", async () => {
  const others: [path: string, headers: Record<string, string>][] = [
    ["/docs", {}],
    ["/docs/api/links", { RSC: "1" }],
    ["/docs/api/links/more", {}],
    ["/docs/api/links", { "X-Nonce": "short" }],
  ];
  for (const [path, headers] of others) {
    renders = [];
    await ask(path, headers);
    await ask(path, headers);
    expect(renders, path).toHaveLength(2);
  }
  renders = [];
  status = 404;
  await ask("/docs/api/missing");
  await ask("/docs/api/missing");
  expect(renders).toHaveLength(2);
});

test("kept pages have up to 48 MB together, and those that were not read for the longest time are dropped", async () => {
  const { bytes } = await ask("/docs/api/a");
  padding = "x".repeat(bytesMax - bytes.length);
  await ask("/docs/api/b");
  await ask("/docs/api/b");
  expect(renders).toHaveLength(2);
  await ask("/docs/api/a");
  expect(renders).toHaveLength(3);
  padding += "x";
  await ask("/docs/api/c");
  await ask("/docs/api/c");
  expect(renders).toHaveLength(5);
});

test("a kept page is compressed for a browser that asks for it, and plain for another one", async () => {
  padding = "x".repeat(5_000);
  const { text } = await ask("/docs/api");
  const compressed = { "Accept-Encoding": "br" };
  for (let at = 0; at < 2; at++) {
    const { bytes, headers } = await ask("/docs/api", compressed);
    expect(headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(bytes).toString()).toBe(text);
    expect((await ask("/docs/api")).text).toBe(text);
  }
  pages = new KeptPages();
  const first = await ask("/docs/api", compressed);
  expect(brotliDecompressSync(first.bytes).toString()).toBe(text);
  expect(await ask("/docs/api")).toMatchObject({ text, status: 200 });
  expect((await ask("/docs/api")).headers["content-encoding"]).toBeUndefined();
});
