/** Valid and malicious images as logos. */
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { memoryBound } from "../../../test/bounds.ts";
import {
  logoBytesMax,
  logoParser,
  logoPixelsMax,
  logoSidePixels,
  pictureBytesMax,
  pictureHeightPixels,
  pictureParser,
  pictureWidthPixels,
} from "./index.ts";

const readLogo = (bytes: Buffer) => logoParser.parse({ bytes, icon: false });
const readPicture = (bytes: Buffer) => pictureParser.parse(bytes);

function picture(width: number, height = width) {
  return sharp({ create: { width, height, channels: 4, background: "#1e3a8a80" } });
}

/** An image padded with trailing bytes. */
function padded(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}

describe("accepted", () => {
  test.each(["png", "jpeg", "webp"] as const)("a %s becomes a PNG", async (format) => {
    const logo = await readLogo(await picture(64, 32).toFormat(format).toBuffer());
    const { format: kept, width, height } = await sharp(logo.png).metadata();
    expect([kept, width, height]).toEqual(["png", 64, 32]);
    expect([logo.width, logo.height]).toEqual([64, 32]);
  });

  test("a large one is scaled down, its proportions kept", async () => {
    const logo = await readLogo(await picture(2_000, 500).png().toBuffer());
    expect([logo.width, logo.height]).toEqual([logoSidePixels, logoSidePixels / 4]);
  });

  test("the place and camera of an image are removed, and it is rotated upright", async () => {
    const rotated = await picture(64, 32)
      .jpeg()
      .withExif({ IFD0: { Copyright: "secret place", Orientation: "6" } })
      .toBuffer();
    expect(rotated.includes("secret place")).toBe(true);
    const { png } = await readLogo(rotated);
    expect(png.includes("secret place")).toBe(false);
    expect((await sharp(png).metadata()).exif).toBeUndefined();
  });

  test.each(["<script>alert(1)</script>", "PK\x03\x04", "%PDF-1.7", "GIF89a"])(
    "of a file that is an image and also %j only the image is kept",
    async (second) => {
      const png = await picture(16).png().toBuffer();
      const both = Buffer.concat([png, Buffer.from(second)]);
      expect((await readLogo(both)).png.includes(second)).toBe(false);
    },
  );
});

describe("limits", () => {
  test("max bytes are read and one more is refused", async () => {
    const png = await picture(16).png().toBuffer();
    await expect(readLogo(padded(png, logoBytesMax))).resolves.toBeDefined();
    await expect(readLogo(padded(png, logoBytesMax + 1))).rejects.toThrow("up to 512 KB");
  });

  test("max pixels are read and one row more is refused", async () => {
    const side = Math.sqrt(logoPixelsMax);
    const most = await picture(side).png({ compressionLevel: 9 }).toBuffer();
    await expect(readLogo(most)).resolves.toMatchObject({ width: logoSidePixels });
    const over = await picture(side, side + 1)
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expect(readLogo(over)).rejects.toThrow(`up to ${logoPixelsMax} pixels`);
  });

  test("a small file that declares huge dimensions is refused before it is decoded", async () => {
    const before = process.memoryUsage.rss();
    await expect(readLogo(bomb(50_000, 50_000))).rejects.toMatchObject({
      code: "unprocessable_entity",
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(memoryBound(256 * 1024 * 1024));
  });
});

/** A PNG whose header announces width × height pixels. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

describe("refused", () => {
  const refused = { code: "unprocessable_entity" };
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a GIF", Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00;", "latin1")],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["a PDF", Buffer.from("%PDF-1.7")],
    ["the signature of a PNG alone", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["the signature of a PNG before an SVG", Buffer.from("\x89PNG\r\n\x1a\n<svg/>", "latin1")],
    ["the signature of a JPEG before HTML", Buffer.from("\xff\xd8\xff<script>", "latin1")],
    [
      "the signature of a WebP before noise",
      Buffer.from("RIFF\x00\x00\x00\x00WEBPnoise", "latin1"),
    ],
  ])("%s", async (_name, bytes) => {
    await expect(readLogo(bytes)).rejects.toMatchObject(refused);
  });

  test("an image that was cut in half", async () => {
    const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7_919) % 251));
    const raw = { width: 64, height: 64, channels: 3 as const };
    for (const format of ["png", "webp"] as const) {
      const whole = await sharp(noise, { raw }).toFormat(format).toBuffer();
      const half = whole.subarray(0, whole.length / 2);
      await expect(readLogo(half)).rejects.toMatchObject(refused);
    }
  });

  test("a GIF declared as another type is never given to a decoder", async () => {
    const gif = await picture(8).gif().toBuffer();
    await expect(readLogo(gif)).rejects.toThrow("PNG, JPEG, WebP or SVG");
  });
});

describe("pictures", () => {
  test("become a JPEG without transparency, that fits into the size of a social preview", async () => {
    const sent = await picture(2_400, 1_260).png().toBuffer();
    const { jpeg, width, height } = await readPicture(sent);
    expect([width, height]).toEqual([pictureWidthPixels, pictureHeightPixels]);
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: "jpeg", hasAlpha: false });
    const narrow = await readPicture(await picture(300, 900).webp().toBuffer());
    expect([narrow.width, narrow.height]).toEqual([210, pictureHeightPixels]);
  });

  test("max bytes are read and one more is refused", async () => {
    const png = await picture(16).png().toBuffer();
    await expect(readPicture(padded(png, pictureBytesMax))).resolves.toBeDefined();
    await expect(readPicture(padded(png, pictureBytesMax + 1))).rejects.toThrow("up to 700 KB");
  });

  test("an SVG is refused, because it is a document", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(readPicture(svg)).rejects.toThrow("Use a PNG, JPEG or WebP image.");
  });
});
