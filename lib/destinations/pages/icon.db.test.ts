/** Icons of every kind, from real servers on this machine, which only this configuration may reach. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import { limits, tryLimit } from "#lib/platform/limits";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { iconsAtOnceMax, siteIcon, sitesCachedMax } from "./icon.ts";

openTestStores({ FUXI_FETCH: "loopback" });

type Files = Record<string, Buffer | string | (() => Promise<Buffer>)>;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The ports of all sites in this file. */
const ports = new Set<number>();

/** A site of its own, since icons are cached by site. */
async function openSite(files: Files): Promise<{ site: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer(async (req, res) => {
    paths.push(req.url ?? "");
    const file = files[req.url ?? ""];
    const body = typeof file === "function" ? await file() : file;
    if (body === undefined) res.writeHead(404, { "Content-Type": "text/html" }).end("<p>none");
    else res.writeHead(200, { "Content-Type": "text/html" }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  // A port of an earlier test may be given again, and its site is cached.
  if (ports.has(port)) return await openSite(files);
  ports.add(port);
  return { site: `http://127.0.0.1:${port}`, paths };
}

function square(side: number, background: string) {
  return sharp({ create: { width: side, height: side, channels: 4, background } });
}

/** An ICO file with images, as in Windows. */
function icoOf(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let start = head.length;
  for (const [nth, picture] of pictures.entries()) {
    head.writeUInt32LE(picture.length, 6 + nth * 16 + 8);
    head.writeUInt32LE(start, 6 + nth * 16 + 12);
    start += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}

async function colorOf(png: Buffer | undefined): Promise<[number, number, number[]]> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return [info.width, info.height, [...data.subarray(0, 3)]];
}

let ada: WorkspaceScope;
beforeAll(async () => {
  ada = await makeTestScope("ada");
});

test("a site's icon becomes a small PNG, fetched once", async () => {
  const png = await square(200, "#ff0000")
    .withExif({ IFD0: { Copyright: "secret" } })
    .png()
    .toBuffer();
  const { site, paths } = await openSite({
    "/favicon.ico": Buffer.concat([png, Buffer.from("tail")]),
  });
  const icons = await Promise.all(Array.from({ length: 5 }, () => siteIcon(ada, site)));
  icons.push(await siteIcon(ada, site));
  for (const { png: found } of icons) {
    expect(await colorOf(found)).toEqual([64, 64, [255, 0, 0]]);
    expect(found?.toString("latin1")).not.toMatch(/secret|tail/);
  }
  expect(paths).toEqual(["/favicon.ico"]);
});

test("of an ICO file the largest PNG is taken", async () => {
  const [small, large] = [
    await square(16, "#00ff00").png().toBuffer(),
    await square(48, "#0000ff").png({ compressionLevel: 0 }).toBuffer(),
  ];
  const { site } = await openSite({ "/favicon.ico": icoOf([small, large, Buffer.from("BMP")]) });
  expect(await colorOf((await siteIcon(ada, site)).png)).toEqual([48, 48, [0, 0, 255]]);
});

test("without an icon at the usual path, the one named by the page is used", async () => {
  const png = await square(32, "#00ff00").png().toBuffer();
  const page = `<title>x</title><link rel="shortcut icon" href="/old.svg">
    <link rel="stylesheet" href="/never.css"><link rel="apple-touch-icon" href="touch.png"></head>`;
  const { site, paths } = await openSite({ "/": page, "/touch.png": png });
  expect(await colorOf((await siteIcon(ada, site)).png)).toEqual([32, 32, [0, 255, 0]]);
  expect(paths).toEqual(["/favicon.ico", "/", "/touch.png"]);
});

test("non-images, documents, broken and too large files are no icon", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  const broken = (await square(64, "#fff").png().toBuffer()).subarray(0, 60);
  const large = await sharp({
    create: { width: 5_000, height: 5_000, channels: 3, background: "#fff" },
  })
    .png()
    .toBuffer();
  const lying = icoOf([Buffer.from("no picture")]);
  lying.writeUInt32LE(0xffff_fff0, 6 + 12);
  const files: Files[] = [
    {},
    { "/favicon.ico": svg },
    { "/favicon.ico": broken },
    { "/favicon.ico": large },
  ];
  const endless = icoOf([]);
  endless.writeUInt16LE(0xffff, 4);
  files.push({ "/favicon.ico": lying }, { "/favicon.ico": icoOf([]).subarray(0, 5) });
  files.push({ "/favicon.ico": endless });
  for (const some of files) {
    const { site, paths } = await openSite(some);
    expect(await siteIcon(ada, site)).toEqual({ png: undefined, later: false });
    const before = paths.length;
    expect(await siteIcon(ada, site)).toEqual({ png: undefined, later: false });
    expect(paths).toHaveLength(before);
  }
});

test("only origins are sites, and no internal address is reached", async () => {
  const sites = [
    "",
    "example",
    "ftp://example.com",
    "https://example.com/",
    "https://a@example.com",
  ];
  sites.push(
    "javascript:alert(1)",
    "https://EXAMPLE.com",
    "http://10.0.0.1",
    "http://169.254.169.254",
  );
  for (const site of sites) expect((await siteIcon(ada, site)).png, site).toBeUndefined();
});

test("at most the limit are fetched at once, also when all begin at the same moment", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const png = await square(8, "#fff").png().toBuffer();
  const slow = { "/favicon.ico": () => gate.then(() => png) };
  const sites = await Promise.all(Array.from({ length: iconsAtOnceMax + 1 }, () => openSite(slow)));
  const fetches = sites.map(({ site }) => siteIcon(ada, site));
  await expect
    .poll(() => sites.filter(({ paths }) => paths.length > 0).length)
    .toBe(iconsAtOnceMax);
  const last = sites.at(-1)?.site ?? "";
  expect(await fetches.pop()).toEqual({ png: undefined, later: true });
  open();
  for (const { png: found } of await Promise.all(fetches)) expect(found).toBeDefined();
  expect((await siteIcon(ada, last)).png).toBeDefined();
});

test("a workspace has a limit of fetches per minute, and none for cached icons", async () => {
  const bob = await makeTestScope("bob");
  const png = await square(8, "#fff").png().toBuffer();
  const [last, other] = [await openSite({ "/favicon.ico": png }), await openSite({})];
  const { max } = limits.iconPerWorkspace;
  for (let used = 1; used < max; used++) await tryLimit("iconPerWorkspace", bob.workspaceId);
  expect((await siteIcon(bob, last.site)).png).toBeDefined();
  expect(await siteIcon(bob, other.site)).toEqual({ png: undefined, later: true });
  expect(other.paths).toEqual([]);
  expect((await siteIcon(bob, last.site)).png).toBeDefined();
});

test("icons of the limit of sites are cached; the least recently used one is dropped", async () => {
  const { site, paths } = await openSite({});
  const { port } = new URL(site);
  const siteOf = (nth: number) => `http://127.1.${nth >> 8}.${nth & 255}:${port}`;
  const scopes = await Promise.all([0, 1].map((nth) => makeTestScope(`many-${nth}`)));
  const askAll = async (from: number, to: number) => {
    for (let first = from; first < to; first += iconsAtOnceMax) {
      const some = Array.from(
        { length: Math.min(iconsAtOnceMax, to - first) },
        (_, at) => first + at,
      );
      await Promise.all(
        some.map((nth) => siteIcon(scopes[nth % scopes.length] ?? ada, siteOf(nth))),
      );
    }
  };
  await askAll(0, sitesCachedMax);
  const before = paths.length;
  await siteIcon(ada, siteOf(0));
  expect(paths).toHaveLength(before);
  await siteIcon(ada, siteOf(sitesCachedMax));
  await siteIcon(ada, siteOf(0));
  const known = paths.length;
  await siteIcon(ada, siteOf(1));
  expect(paths.length).toBeGreaterThan(known);
});
