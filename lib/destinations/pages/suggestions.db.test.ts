/** Pages of every kind, from a real server on this machine, which only this configuration may reach. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchPublic } from "#lib/platform/safe-fetch";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { memoryBound, timeBound } from "../../../test/bounds.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { suggest, suggestionsAtOnceMax } from "./index.ts";

openTestStores({ FUXI_FETCH: "loopback" });

type SiteResponse = (res: ServerResponse, req: IncomingMessage) => void;

let server: Server;
let origin: string;
let ada: WorkspaceScope;
let bob: WorkspaceScope;
const pages = new Map<string, SiteResponse>();
const requests: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    requests.push(req);
    res.on("error", () => {});
    const answer = pages.get(req.url ?? "/");
    if (answer) answer(res, req);
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function put(path: string, answer: SiteResponse): string {
  pages.set(path, answer);
  return `${origin}${path}`;
}

function page(path: string, body: string | Buffer, headers: Record<string, string> = {}): string {
  return put(path, (res) =>
    res.writeHead(200, { "Content-Type": "text/html", ...headers }).end(body),
  );
}

test("the tags of networks take precedence over those of the page, and an image gets its absolute address", async () => {
  const url = page(
    "/full",
    `<html><head><title>Plain &amp; simple</title>
     <meta name="description" content="A page"><meta property="og:title" content=" The
     fair \u202e"><meta property="og:image" content="/i.png"></head><body><title>No</title>`,
  );
  expect(await suggest(ada, url)).toEqual({
    title: "The fair",
    description: "A page",
    image: `${origin}/i.png`,
  });
  const [request] = requests.slice(-1);
  expect(request?.headers.cookie).toBeUndefined();
  expect(request?.headers.authorization).toBeUndefined();
  const hostile = page(
    "/hostile",
    `<title>${"x".repeat(600)}</title><meta property="og:image" content="javascript:alert(1)">`,
  );
  expect(await suggest(ada, hostile)).toEqual({
    title: "x".repeat(500),
    description: null,
    image: null,
  });
});

test("texts are decoded by the charset of header, byte order mark or page, otherwise as UTF-8", async () => {
  const chinese = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]); // 中文 in GB18030
  const titled = (start: string) =>
    Buffer.concat([Buffer.from(start), Buffer.from("<title>"), chinese, Buffer.from("</title>")]);
  const cases: [string, Buffer | string, Record<string, string>, string][] = [
    ["/gb-header", titled(""), { "Content-Type": "text/html; charset=gb18030" }, "中文"],
    ["/gb-meta", titled('<meta charset="gb2312">'), {}, "中文"],
    ["/utf-16", Buffer.from("\ufeff<title>中文</title>", "utf16le"), {}, "中文"],
    ["/unknown", '<meta charset="klingon"><title>中文</title>', {}, "中文"],
    ["/gzip", gzipSync("<title>中文</title>"), { "Content-Encoding": "gzip" }, "中文"],
    ["/brotli", brotliCompressSync("<title>中文</title>"), { "Content-Encoding": "br" }, "中文"],
  ];
  for (const [path, body, headers, title] of cases) {
    expect([path, (await suggest(ada, page(path, body, headers))).title]).toEqual([path, title]);
  }
});

test("redirects are followed five times, each checked again, and a sixth is refused", async () => {
  page("/hop-0", "<title>Here</title>");
  for (const hop of [1, 2, 3, 4, 5, 6]) {
    put(`/hop-${hop}`, (res) => res.writeHead(302, { Location: `/hop-${hop - 1}` }).end());
  }
  expect((await suggest(ada, `${origin}/hop-5`)).title).toBe("Here");
  await expect(suggest(ada, `${origin}/hop-6`)).rejects.toThrow("too many redirects");
  const loop = put("/loop", (res) => res.writeHead(301, { Location: "/loop" }).end());
  await expect(suggest(ada, loop)).rejects.toThrow("too many redirects");
  // The last one responds: an unchecked redirect would return its page.
  const answering = `${origin.replace("//", "//user:secret@")}/hop-0`;
  const targets = ["http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd", answering];
  for (const target of targets) {
    const url = put("/inside", (res) => res.writeHead(302, { Location: target }).end());
    const startedAt = performance.now();
    await expect(suggest(ada, url)).rejects.toThrow("Can’t reach the destination");
    expect(performance.now() - startedAt).toBeLessThan(timeBound(12_000));
  }
});

test("a name connects to its checked address, although it resolves differently a moment later", async () => {
  const url = page("/named", "<title>Checked</title>").replace("127.0.0.1", "page.test");
  let lookups = 0;
  const fetched = await fetchPublic({
    url,
    accept: "text/html",
    limits: { timeoutMs: 3_000, bytesMax: 1_000, redirectsMax: 0 },
    open: () => () => true,
    resolve: () => {
      lookups += 1;
      return Promise.resolve([{ address: lookups === 1 ? "127.0.0.1" : "10.0.0.1", family: 4 }]);
    },
  });
  expect(fetched).toMatchObject({ ok: true });
  expect(lookups).toBe(1);
});

test("an endless page costs half a megabyte, also when it was compressed to almost nothing", async () => {
  let sent = 0;
  const part = Buffer.alloc(65_536, " ");
  const url = put("/endless", (res) => {
    res.writeHead(200, { "Content-Type": "text/html" });
    res.write("<title>Endless</title>");
    const more = () => {
      while (!res.destroyed && sent < 1e9) {
        sent += part.length;
        if (!res.write(part)) return void res.once("drain", more);
      }
    };
    more();
  });
  expect((await suggest(ada, url)).title).toBe("Endless");
  const bomb = gzipSync(
    Buffer.concat([Buffer.from("<title>Bomb</title>"), Buffer.alloc(200e6, " ")]),
  );
  const packed = page("/bomb", bomb, { "Content-Encoding": "gzip" });
  const memory = process.memoryUsage().rss;
  expect((await suggest(ada, packed)).title).toBe("Bomb");
  expect(process.memoryUsage().rss - memory).toBeLessThan(memoryBound(64e6));
  // The buffers of the connection were sent too.
  expect(sent).toBeLessThan(20e6);
  const twice = page("/twice", "x", { "Content-Encoding": "gzip, gzip" });
  await expect(suggest(ada, twice)).rejects.toThrow("isn’t a web page");
});

/** A million in the long run: they are read within the timeout of a page, in which a busy machine reads a tenth. */
const tagCount = process.env["TEST_LONG"] ? 1_000_000 : 100_000;

test(`${tagCount} tags end by themselves, and so do slow pages, of which only the limit runs at once`, async () => {
  const tags = page("/tags", `<title>Tags</title>${"<i>".repeat(tagCount)}`);
  const startedAt = performance.now();
  expect((await suggest(ada, tags)).title).toBe("Tags");
  expect(performance.now() - startedAt).toBeLessThan(timeBound(12_000));
  const slow = put("/slow", (res) => {
    res.writeHead(200, { "Content-Type": "text/html" });
    const drip = setInterval(() => res.write(" "), 100);
    res.on("close", () => clearInterval(drip));
  });
  const silent = put("/silent", () => {});
  const from = performance.now();
  const urls = [silent, ...Array.from({ length: suggestionsAtOnceMax - 1 }, () => slow)];
  const running = urls.map((url) => suggest(ada, url));
  const settled = Promise.allSettled(running);
  // All of them wait for Redis first, and then run concurrently.
  await expect
    .poll(() => requests.slice(-urls.length).every(({ url }) => url !== "/tags"))
    .toBe(true);
  await expect(suggest(bob, slow)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  const [first, ...others] = await settled;
  expect(first).toMatchObject({ reason: { message: expect.stringContaining("Can’t reach") } });
  for (const other of others) {
    expect(other).toMatchObject({ reason: { message: expect.stringContaining("took too long") } });
  }
  expect(performance.now() - from).toBeLessThan(timeBound(8_000));
});

test("a response that is no page, or no success, gives a message", async () => {
  const picture = put("/picture", (res) =>
    res.writeHead(200, { "Content-Type": "image/png" }).end(),
  );
  await expect(suggest(ada, picture)).rejects.toThrow("isn’t a web page");
  await expect(suggest(ada, `${origin}/missing`)).rejects.toThrow("returned status 404");
  const broken = page("/broken", "not gzip", { "Content-Encoding": "gzip" });
  await expect(suggest(ada, broken)).rejects.toThrow("took too long");
});

test("a workspace has sixty fetches a minute, others are not affected, and viewers have none", async () => {
  const url = page("/often", "<title>Often</title>");
  const viewer = await joinTestScope(bob, "vera", "viewer");
  await expect(suggest(viewer, url)).rejects.toMatchObject({ code: "forbidden" });
  // The one that was refused above was counted too.
  for (let left = 59; left > 0; left -= 15) {
    await Promise.all(Array.from({ length: Math.min(left, 15) }, () => suggest(bob, url)));
  }
  await expect(suggest(bob, url)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect((await suggest(ada, url)).title).toBe("Often");
});
