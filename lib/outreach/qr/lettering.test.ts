/** Captions look the same on every machine, because the fonts come with Fuxi. */
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { captionCharsMax, plainDesign, type QrDesign } from "#lib/links/qr-design/schema";
import { drawDesign } from "./drawing.ts";
import { drawableText, letter } from "./lettering.ts";
import { pdfPath } from "./pdf-path.ts";
import type { PictureFormat } from "./schema.ts";

const width = 1_024;

async function draw(design: Partial<QrDesign>, format: PictureFormat) {
  const request = { address: "https://go.example.com/ScW4dt?qr=1", logo: undefined, width };
  const { body } = await drawDesign({ ...request, design: { ...plainDesign, ...design }, format });
  return Buffer.from(body);
}

/** The columns with ink below the code, and their share of ink. */
async function captionInk(caption: string) {
  const { data, info } = await sharp(await draw({ caption }, "png"))
    .extract({ left: 0, top: width, width, height: 60 })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const inked = [...data.keys()].filter((at) => (data[at] ?? 255) < 128);
  const columns = inked.map((at) => at % info.width);
  return {
    from: columns.reduce((least, column) => Math.min(least, column), info.width),
    to: columns.reduce((most, column) => Math.max(most, column), 0),
    pixels: inked.length,
    data,
  };
}

describe.each([
  "Scan me",
  "扫一扫，立即查看",
  "掃描領取優惠",
  "ありがとう",
  "Сканируй",
  "Quét mã",
  "50 % — “fi”",
])("the caption %j", (caption) => {
  test("is paths in an SVG, not a text that needs a font", async () => {
    const svg = (await draw({ caption, frame: "label" }, "svg")).toString();
    expect(svg).not.toMatch(/<text|font/);
    const { ems, pathAt } = await letter(caption);
    expect(ems).toBeGreaterThan(3);
    const paths = svg.match(/<path /g)?.length ?? 0;
    const without = (await draw({ frame: "label" }, "svg")).toString();
    expect(paths).toBe((without.match(/<path /g)?.length ?? 0) + 1);
    // Each part of a letter begins with M, so a caption has at least one per letter.
    const letters = caption.replace(/\s/g, "").length;
    expect(pathAt(0, 0, 1).match(/M/g)?.length).toBeGreaterThanOrEqual(letters - 1);
  });

  test("is drawn in the middle of a PNG, within its edges", async () => {
    const { from, to, pixels } = await captionInk(caption);
    expect(from).toBeGreaterThan(20);
    expect(Math.abs(from + to - width)).toBeLessThan(12);
    expect(pixels).toBeGreaterThan(200 * [...caption.replace(/\s/g, "")].length * 0.5);
  });
});

test("each Chinese character has a shape of its own, not the box of a missing one", async () => {
  const shapes = await Promise.all(
    [..."扫码领取优惠券立即查看"].map(async (sign) => (await letter(sign)).pathAt(0, 0, 1)),
  );
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("strokes that overlap are filled where they do", async () => {
  const [path = ""] =
    (await draw({ caption: "扫" }, "svg")).toString().match(/<path [^>]*>(?=<.svg>)/) ?? [];
  expect(path).toContain('fill-rule="nonzero"');
});

test("a caption of the maximum length fits into the width of the code", async () => {
  const { from, to } = await captionInk("W".repeat(captionCharsMax));
  expect(from).toBeGreaterThan(20);
  expect(to).toBeLessThan(width - 20);
});

test("a caption with characters that no font has is refused, and the message names them", async () => {
  const refused =
    "caption: No font has these characters: 안 😀. Use Latin, Cyrillic, Chinese or Japanese";
  await expect(draw({ caption: "안 a😀안" }, "svg")).rejects.toThrow(refused);
  await expect(draw({ caption: "a" }, "svg")).resolves.toBeDefined();
});

test("characters without a font are left out of a saved caption, and those without a shape of any", async () => {
  expect(await drawableText("안 Scan me 😀")).toBe("Scan me");
  expect(await drawableText("안녕")).toBe("");
  const [joined, plain] = [await letter("a\u200d\ufe0fb"), await letter("ab")];
  expect(joined.pathAt(0, 0, 1)).toBe(plain.pathAt(0, 0, 1));
});

test("a caption is no markup, whatever its content", async () => {
  const svg = await draw({ caption: `"/><script>alert(1)</script>` }, "svg");
  expect(svg.toString()).not.toContain("script");
});

test("letters are the same paths in a PDF", async () => {
  const { pathAt } = await letter("扫 me");
  const path = pathAt(3, 40, 2);
  const operators = pdfPath(path);
  const count = (text: string, sign: RegExp) => text.match(sign)?.length;
  expect(count(operators, / m\b/g)).toBe(count(path, /M/g));
  expect(count(operators, / l\b/g)).toBe(count(path, /L/g));
  expect(count(operators, / c\b/g)).toBe(count(path, /Q/g));
  // The control point of the first curve counts twice, at two thirds of the way from either end.
  expect(pdfPath("M0 0Q3 0 3 3")).toBe("0 0 m 2 0 3 1 3 3 c");
  const pdf = await draw({ caption: "扫 me" }, "pdf");
  expect(pdf.includes("/Font")).toBe(false);
  expect(pdf.includes("/Subtype /Image")).toBe(false);
});

test("a path has numbers alone, wherever it starts", async () => {
  const { ems, pathAt } = await letter("localhost/bF8xt8");
  for (let step = 0; step < 300; step++) {
    expect(pathAt((40 - ems * 2.4) / 2, step * 0.0137, 2.4)).not.toContain("NaN");
  }
});
