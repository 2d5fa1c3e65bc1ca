/** QR codes, decoded by an independent reader. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dub } from "dub";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiKey, apiUrl } from "../../test/contract-server.ts";
import { type HttpAnswer, send } from "../../test/http-client.ts";
import { readQrCode } from "../../test/zbar.ts";

const levels = ["L", "M", "Q", "H"] as const;
/** Bytes in the largest code of each level. */
const capacity = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 };
const address = "https://go.example.com/ScW4dt?qr=1";
const zbarWaitMs = 120_000;

let folder = "";
let files = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fuxi-qr-"));
  // The first read may have to install the reader.
  await read(await draw({ url: address }));
}, zbarWaitMs);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function draw(query: Record<string, string>): Promise<HttpAnswer> {
  return send(`${apiUrl}/qr?${new URLSearchParams(query)}`);
}

async function read({ bytes }: HttpAnswer): Promise<string | undefined> {
  return await readBytes(bytes, "png");
}

async function readBytes(bytes: Uint8Array | string, ending: string): Promise<string | undefined> {
  files += 1;
  const file = join(folder, `${files}.${ending}`);
  writeFileSync(file, bytes);
  return await readQrCode(file);
}

function ofLength(bytes: number): string {
  return "https://x.example/?".padEnd(bytes, "aB3-_");
}

/** Side length in pixels, from the PNG header. */
function sideOf({ bytes }: HttpAnswer): [number, number] {
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("200", () => {
  test("is exactly image/png, needs no key, may be cached and shown anywhere", async () => {
    const response = await draw({ url: address });
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("image/png");
    expect(response.headers["cache-control"]).toBe("public, max-age=86400");
    expect(response.headers["access-control-allow-origin"]).toBe("*");
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    expect(sideOf(response)).toEqual([600, 600]);
  });

  test.each(levels)("a code of level %s is decoded, and so is the longest one", async (level) => {
    expect(await read(await draw({ url: address, level }))).toBe(address);
    const longest = ofLength(capacity[level]);
    expect(await read(await draw({ url: longest, level, size: "900" }))).toBe(longest);
  });

  test.each([300, 301])(
    "a code of %d bytes is decoded, whether all masks were tried or one",
    async (bytes) => {
      const url = ofLength(bytes);
      expect(await read(await draw({ url, level: "H" }))).toBe(url);
    },
  );

  test.each(["32", "600", "999", "2048"])("has %s pixels when requested", async (size) => {
    const response = await draw({ url: "https://a.bc", size, margin: "1" });
    expect(sideOf(response)).toEqual([Number(size), Number(size)]);
    if (Number(size) > 32) expect(await read(response)).toBe("https://a.bc");
  });

  test("colors and margins are drawn and decoded", async () => {
    const colors = { fgColor: "#1e3a8a", bgColor: "ffe" };
    for (const more of [{ margin: "8" }, { margin: "4", includeMargin: "true" }]) {
      expect(await read(await draw({ url: address, ...colors, ...more }))).toBe(address);
    }
    const bare = await draw({ url: address, includeMargin: "false", size: "29", format: "svg" });
    expect(bare.status).toBe(422);
    const none = await draw({ url: address, includeMargin: "false", format: "svg" });
    expect(none.text).toContain('viewBox="0 0 29 29"');
  });

  test("an address that is not ASCII is drawn as the same address in ASCII", async () => {
    const url = "https://例え.jp/道?q=é";
    expect(await read(await draw({ url }))).toBe(new URL(url).href);
  });

  test.each(levels)("an SVG of level %s draws the same modules", async (level) => {
    const response = await draw({ url: address, level, format: "svg" });
    expect(response.headers["content-type"]).toBe("image/svg+xml");
    expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(await readBytes(pixelsOf(response.text), "pbm")).toBe(address);
  });

  test("a logo changes nothing and is never fetched", async () => {
    const plain = await draw({ url: address });
    const logo = "http://127.0.0.1:1/logo.png";
    const drawn = await draw({ url: address, logo, hideLogo: "false" });
    expect(drawn.bytes.equals(plain.bytes)).toBe(true);
  });

  test("the SDK accepts the response", async () => {
    const dub = new Dub({ token: apiKey, serverURL: apiUrl });
    expect(await dub.qrCodes.get({ url: address })).toMatch(/PNG/);
  });

  test("HEAD answers the same without an image", async () => {
    const response = await send(`${apiUrl}/qr?url=${encodeURIComponent(address)}`, {
      method: "HEAD",
    });
    expect([response.status, response.headers["content-type"]]).toEqual([200, "image/png"]);
  });
});

/** Renders an SVG with ten pixels per module, as a simple bitmap. */
function pixelsOf(svg: string): string {
  const scale = 10;
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const [, path = ""] = [...svg.matchAll(/ d="([^"]*)"/g)].map((match) => match[1]);
  const rows = Array.from({ length: side }, () => new Array<number>(side).fill(0));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    rows[Number(y)]?.fill(1, Number(x), Number(x) + Number(length));
  }
  const lines = rows.map((row) => row.map((bit) => `${bit} `.repeat(scale)).join(""));
  const pixels = lines.flatMap((line) => new Array<string>(scale).fill(line));
  return `P1\n${side * scale} ${side * scale}\n${pixels.join("\n")}\n`;
}

describe("422", () => {
  test.each(levels)("one byte too many for level %s names the correction", async (level) => {
    const response = await draw({ url: ofLength(capacity[level] + 1), level });
    expect(response.status).toBe(422);
    const { error } = JSON.parse(response.text);
    expect(error.message).toContain(String(capacity[level]));
  });

  test.each([
    [{}, "url"],
    [{ url: "" }, "url"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ url: " java\tscript:alert(1)" }, "url"],
    [{ url: "ftp://example.com" }, "url"],
    [{ url: "data:text/html,x" }, "url"],
    [{ url: address, size: "31" }, "size"],
    [{ url: address, size: "2049" }, "size"],
    [{ url: address, size: "x" }, "size"],
    [{ url: address, size: "1e9" }, "size"],
    [{ url: address, level: "X" }, "level"],
    [{ url: address, margin: "33" }, "margin"],
    [{ url: address, margin: "-1" }, "margin"],
    [{ url: address, fgColor: "red" }, "fgColor"],
    [{ url: address, fgColor: '#000"/><script>' }, "fgColor"],
    [{ url: address, bgColor: "#12345" }, "bgColor"],
    [{ url: address, format: "gif" }, "format"],
    [{ url: address, includeMargin: "1" }, "includeMargin"],
    [{ url: address, size: "32", margin: "2" }, "size"],
    [{ url: address, fgColor: "#777777", bgColor: "#999999" }, "bgColor"],
  ])("%j", async (query, field) => {
    const response = await draw(Object(query));
    expect([response.status, response.headers["cache-control"]]).toEqual([422, "no-store"]);
    expect(JSON.parse(response.text).error.message).toContain(field);
  });
});
