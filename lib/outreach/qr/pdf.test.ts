/** Codes for print: rendered by an independent program, and decoded from its pixels. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  plainDesign,
  type QrDesign,
  qrCorners,
  qrDots,
  qrFrames,
  qrGradients,
} from "#lib/links/qr-design/schema";
import { renderPdf } from "../../../test/pdf.ts";
import { readQrCode } from "../../../test/zbar.ts";
import { drawDesign } from "./drawing.ts";

const address = "https://go.example.com/ScW4dt?qr=1";
const dotsPerInch = 150;
let folder = "";
let files = 0;
let logo: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fuxi-pdf-"));
  logo = await sharp({ create: { width: 300, height: 200, channels: 4, background: "#d0402b80" } })
    .png()
    .toBuffer();
  await read({});
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function draw(design: Partial<QrDesign>, millimeters = 60, withLogo = false) {
  const { type, body } = await drawDesign({
    address,
    design: { ...plainDesign, ...design },
    logo: withLogo ? logo : undefined,
    format: "pdf",
    width: millimeters,
  });
  expect(type).toBe("application/pdf");
  return Buffer.from(body);
}

async function render(pdf: Buffer): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.pdf`);
  writeFileSync(file, pdf);
  return await renderPdf(file, dotsPerInch);
}

async function read(design: Partial<QrDesign>, millimeters?: number, withLogo?: boolean) {
  return await readQrCode(await render(await draw(design, millimeters, withLogo)));
}

/** The operators that draw the page. */
function contentOf(pdf: Buffer): string {
  const from = pdf.indexOf("stream\n") + "stream\n".length;
  return inflateSync(pdf.subarray(from, pdf.indexOf("\nendstream"))).toString();
}

describe.each(qrDots)("dots %s", (dots) => {
  test.each(qrCorners)(
    "with corners %s are decoded in every frame, with a caption and a logo",
    async (corners) => {
      for (const frame of qrFrames) {
        const design = { dots, corners, frame, caption: "Scan me 扫一扫" };
        expect(await read(design, 60, true)).toBe(address);
      }
    },
  );
});

test.each(qrGradients)("gradient %s is decoded", async (gradient) => {
  const design = { gradient, foreground: "#1e3a8a", gradientColor: "#86198f" };
  expect(await read(design)).toBe(address);
});

test.each([10, 60, 1_000])("the page of a code of %d mm is as wide", async (millimeters) => {
  const pdf = (await draw({}, millimeters)).toString("latin1");
  const [, width = 0, height = 0] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
  expect(Number(width)).toBeCloseTo((millimeters / 25.4) * 72, 3);
  expect(height).toBe(width);
});

test("it has the paths of the SVG, not its pixels", async () => {
  const design = { ...plainDesign, dots: "dots" } as const;
  const request = { address, design, logo: undefined, format: "svg", width: 512 } as const;
  const svg = Buffer.from((await drawDesign(request)).body).toString();
  const pdf = await draw(design);
  const paths = (text: string, move: RegExp) => text.match(move)?.length;
  expect(paths(contentOf(pdf), / m\b/g)).toBe(paths(svg, /M(?=[\d.])/g));
  expect(pdf.includes("/Subtype /Image")).toBe(false);
});

test("a page that is rendered looks like the PNG", async () => {
  const design = {
    dots: "rounded",
    corners: "circle",
    frame: "label",
    gradient: "linear",
    foreground: "#1e3a8a",
    gradientColor: "#86198f",
  } as const;
  const file = await render(await draw(design, 60));
  const { width = 0, height = 0 } = await sharp(file).metadata();
  const request = { address, design: { ...plainDesign, ...design }, logo: undefined } as const;
  const png = await drawDesign({ ...request, format: "png", width });
  const compared = sharp(png.body).resize(width, height, { fit: "fill" }).flatten({
    background: "#fff",
  });
  const { channels } = await compared
    .composite([{ input: file, blend: "difference" }])
    .removeAlpha()
    .toBuffer()
    .then((bytes) => sharp(bytes).stats());
  // Edges are smoothed differently; everything else is equal.
  for (const { mean } of channels) expect(mean).toBeLessThan(6);
});

test("a file is the same each time it is drawn, without a date or an author", async () => {
  const [first, second] = [
    await draw({ caption: "x" }, 20, true),
    await draw({ caption: "x" }, 20, true),
  ];
  expect(first.equals(second)).toBe(true);
  expect(first.toString("latin1")).not.toMatch(/CreationDate|Author|Producer/);
});
