import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../../test/http-client.ts";
import { openPageFiles } from "./files.ts";

const script = "console.log('a page')";
const folder = mkdtempSync(join(tmpdir(), "fuxi-page-files-"));
const server = createServer();
let url = "";

beforeAll(async () => {
  for (const name of ["a1.js", "gone.js"]) {
    writeFileSync(join(folder, name), script);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(script));
  }
  writeFileSync(join(folder, "plain.js"), script);
  const files = openPageFiles(folder, "/files/");
  rmSync(join(folder, "gone.js.br"));
  server.on("request", (req, res) => {
    if (!files(req, res)) res.writeHead(299).end("left to others");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  send(url, { path, method, headers: { "Accept-Encoding": "gzip, br", ...headers } });

test("a script is sent as it was compressed, and may be kept", async () => {
  for (const path of ["/files/a1.js", "/files/a1.js?of=a-build"]) {
    const { status, headers, bytes } = await ask(path);
    expect(status).toBe(200);
    expect(brotliDecompressSync(bytes).toString()).toBe(script);
    expect(headers).toMatchObject({
      "content-type": "application/javascript; charset=UTF-8",
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
  }
});

test("a browser that has it already is told so, and HEAD has no body", async () => {
  const { headers } = await ask("/files/a1.js");
  const again = await ask("/files/a1.js", { "If-None-Match": headers["etag"] ?? "" });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  const head = await ask("/files/a1.js", {}, "HEAD");
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  expect(head.headers["content-length"]).toBe(headers["content-length"]);
});

test.each([
  ["a browser without Brotli", "/files/a1.js", { "Accept-Encoding": "gzip" }],
  ["one that refuses it", "/files/a1.js", { "Accept-Encoding": "gzip, br;q=0" }],
  ["another method", "/files/a1.js", {}, "POST"],
  ["a file that was not compressed", "/files/plain.js", {}],
  ["a file that does not exist", "/files/b2.js", {}],
  ["the compressed file itself", "/files/a1.js.br", {}],
  ["a file outside", "/files/../files/a1.js", {}],
  ["another path", "/other/a1.js", {}],
  ["a file that a new build removed", "/files/gone.js", {}],
])("%s is left to Next.js", async (_, path, headers, method = "GET") => {
  expect(await ask(path, headers, method)).toMatchObject({ status: 299 });
});
