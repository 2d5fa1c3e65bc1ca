/** Designs, drawn and decoded by an independent reader. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  findDesignWarnings,
  plainDesign,
  type QrDesign,
  qrCorners,
  qrDesign,
  qrDots,
  qrFrames,
  qrGradients,
  qrLevels,
} from "#lib/links/qr-design/schema";
import { readQrCode } from "../../../test/zbar.ts";
import { type DesignRequest, drawDesign } from "./drawing.ts";

const address = "https://go.example.com/ScW4dt?qr=1";
let folder = "";
let files = 0;
let logo: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fuxi-design-"));
  logo = await sharp({ create: { width: 512, height: 512, channels: 3, background: "#d0402b" } })
    .png()
    .toBuffer();
  await read({});
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function draw(design: Partial<QrDesign>, options: Partial<DesignRequest> = {}) {
  const usual = { address, logo: undefined, format: "png", width: 512 } as const;
  return drawDesign({ ...usual, design: { ...plainDesign, ...design }, ...options });
}

async function read(design: Partial<QrDesign>, options: Partial<DesignRequest> = {}) {
  files += 1;
  const file = join(folder, `${files}.png`);
  writeFileSync(file, (await draw(design, options)).body);
  return await readQrCode(file);
}

describe.each(qrDots)("dots %s", (dots) => {
  describe.each(qrCorners)("corners %s", (corners) => {
    test.each(qrLevels)("level %s is decoded, without and with a logo", async (level) => {
      expect(await read({ dots, corners, level })).toBe(address);
      expect(await read({ dots, corners, level }, { logo })).toBe(address);
    });
  });
});

describe.each(qrCorners)("corners %s", (corners) => {
  test.each(qrCorners)("with blocks %s are decoded, whatever the dots", async (cornerDots) => {
    for (const dots of qrDots) {
      expect(await read({ dots, corners, cornerDots })).toBe(address);
    }
  });
});

describe.each(qrGradients)("gradient %s", (gradient) => {
  test.each(qrFrames)(
    "in the frame %s is decoded, with every shape of dots and a logo",
    async (frame) => {
      const colors = { foreground: "#1e3a8a", gradientColor: "#86198f", cornerColor: "#7f1d1d" };
      for (const dots of qrDots) {
        const design = { ...colors, dots, frame, gradient, caption: "Scan me" } as const;
        expect(await read(design, { logo })).toBe(address);
      }
    },
  );
});

describe.each(qrFrames)("frame %s", (frame) => {
  test.each(["", "Scan me", "扫一扫，立即查看", "W".repeat(40), `<&"'>]]>`])(
    "with the caption %j is decoded at every margin",
    async (caption) => {
      for (const margin of [2, 16]) {
        expect(await read({ frame, caption, margin, dots: "dots" }, { logo })).toBe(address);
      }
    },
  );
});

test("an SVG is drawn with the same shapes, and its pixels are decoded", async () => {
  const { type, body } = await draw({ dots: "dots" }, { format: "svg", logo });
  expect(type).toBe("image/svg+xml");
  const file = join(folder, "drawn.png");
  await sharp(body).flatten({ background: "#fff" }).png().toFile(file);
  expect(await readQrCode(file)).toBe(address);
});

test("a PNG has the requested width, up to 4,096 pixels, and is decoded", async () => {
  for (const width of [256, 4_096]) {
    const { body } = await draw({ dots: "rounded" }, { width, logo });
    expect((await sharp(body).metadata()).width).toBe(width);
    expect(await read({ dots: "rounded" }, { width, logo })).toBe(address);
  }
});

test("a width that leaves a module fewer than three pixels is refused, and the message names a valid one", async () => {
  // 29 modules and twice the margin of 4.
  await expect(draw({}, { width: 110 })).rejects.toThrow("at least 111 pixels");
  expect(await read({}, { width: 111 })).toBe(address);
});

test("an address that is too long for the level that a logo requires is refused", async () => {
  const long = (bytes: number) => "https://go.example.com/".padEnd(bytes, "x");
  const wide = { width: 1_024 };
  await expect(
    draw({ level: "L" }, { ...wide, address: long(1_273), logo }),
  ).resolves.toBeDefined();
  await expect(draw({ level: "L" }, { ...wide, address: long(1_274), logo })).rejects.toThrow(
    "level H can have up to 1273",
  );
  await expect(draw({ level: "L" }, { ...wide, address: long(1_274) })).resolves.toBeDefined();
});

describe("colors", () => {
  const white = { background: "#ffffff" };
  test.each([
    [{ ...white, foreground: "#949494", cornerColor: "#000000" }, ["faint"]],
    [{ ...white, foreground: "#000000", cornerColor: "#949494" }, ["faint"]],
    [{ background: "#000000", foreground: "#ffffff", cornerColor: "#ffffff" }, ["inverted"]],
  ])("%j are drawn", async (colors, warnings) => {
    expect(findDesignWarnings(colors)).toEqual(warnings);
    await expect(draw(colors)).resolves.toBeDefined();
  });

  test.each([
    { ...white, foreground: "#959595", cornerColor: "#000000" },
    { ...white, foreground: "#000000", cornerColor: "#959595" },
    { background: "#808080", foreground: "#000000", cornerColor: "#ffffff" },
  ])("%j are refused, because a reader would lose the code", async (colors) => {
    expect(findDesignWarnings(colors)).toEqual(["alike"]);
    await expect(draw(colors)).rejects.toThrow("too little contrast with the background");
  });

  test.each(["linear", "radial"] as const)(
    "of a %s gradient count at both ends",
    async (gradient) => {
      const colors = { ...white, foreground: "#000000", cornerColor: "#000000", gradient };
      expect(findDesignWarnings({ ...colors, gradientColor: "#949494" })).toEqual(["faint"]);
      expect(findDesignWarnings({ ...colors, gradientColor: "#959595" })).toEqual(["alike"]);
      await expect(draw({ ...colors, gradientColor: "#959595" })).rejects.toThrow(
        "too little contrast",
      );
      await expect(
        draw({ ...colors, gradient: "none", gradientColor: "#959595" }),
      ).resolves.toBeDefined();
    },
  );

  test("of a gradient count in its middle, where two light colors can be dark", () => {
    const ends = { foreground: "#e00000", gradientColor: "#00a000" };
    const colors = { ...ends, cornerColor: "#ffffff", background: "#101010" } as const;
    expect(findDesignWarnings(colors)).not.toContain("alike");
    expect(findDesignWarnings({ ...colors, foreground: "#00a000" })).not.toContain("alike");
    expect(findDesignWarnings({ ...colors, gradient: "linear" })).toEqual(["alike"]);
  });

  test("of a contrast below 4.5 are faint", () => {
    const of = (foreground: string) =>
      findDesignWarnings({ ...white, cornerColor: "#000000", foreground });
    expect(of("#777777")).toEqual(["faint"]);
    expect(of("#767676")).toEqual([]);
  });
});

test.each([
  { margin: 1 },
  { margin: 17 },
  { margin: 2.5 },
  { caption: "x".repeat(41) },
  { caption: "a\u0000" },
  { caption: "\ud800" },
  { foreground: `#000"/><script>` },
  { foreground: "url(#a)" },
  { dots: "hearts" },
  { cornerDots: "hearts" },
  { gradient: "conic" },
  { gradientColor: "url(#a)" },
  { level: "X" },
  { logoId: 1 },
  { unknown: true },
])("a design of %j is refused", (design) => {
  expect(qrDesign.safeParse(design).success).toBe(false);
});

test.each([{ margin: 2 }, { margin: 16 }, { caption: "x".repeat(40) }])(
  "a design of %j is accepted",
  (design) => {
    expect(qrDesign.safeParse(design).success).toBe(true);
  },
);
