/** SVG files as logos: drawn, and everything refused that is not in the file or draws without an end. */
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { logoParser, logoSidePixels } from "./index.ts";
import { rewriteSvg, svgBytesMax, svgElementsMax, svgSideMax } from "./svg.ts";

const namespaces = `xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`;
const svg = (inside: string, attributes = `viewBox="0 0 100 50"`) =>
  `<svg ${namespaces} ${attributes}>${inside}</svg>`;
const rect = `<rect width="100" height="50" fill="red"/>`;
const readLogo = (bytes: Buffer) => logoParser.parse({ bytes, icon: false });
const read = (text: string) => readLogo(Buffer.from(text));

async function colorOf(text: string): Promise<number[]> {
  const { png } = await read(text);
  const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3)];
}

describe("accepted", () => {
  test.each([
    ["a viewBox", svg(rect)],
    ["a size", svg(rect, `width="100" height="50"`)],
    ["an XML head and a comment", `<?xml version="1.0"?><!-- logo -->${svg(rect)}`],
    ["styles", svg(`<style>.a{fill:red}</style><rect class="a" width="100" height="50"/>`)],
    [
      "a gradient and a shape that is used",
      svg(
        `<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient><rect id="r" width="100" height="50"/></defs><use xlink:href="#r" fill="url(#g)"/>`,
      ),
    ],
  ])("%s becomes a PNG of the size of a logo", async (_name, text) => {
    const { width, height, png } = await read(text);
    expect([width, height]).toEqual([logoSidePixels, logoSidePixels / 2]);
    expect((await sharp(png).metadata()).format).toBe("png");
    expect(await colorOf(text)).toEqual([255, 0, 0]);
  });

  test("scripts and handlers are removed before anything is drawn", async () => {
    const text = svg(`<script>alert(1)</script><rect width="9" height="9" onclick="alert(2)"/>`);
    expect(rewriteSvg(text)).not.toMatch(/script|alert|onclick/);
    await expect(read(text)).resolves.toBeDefined();
  });
});

describe("limits", () => {
  test("max bytes are drawn and one more is refused", async () => {
    const padded = (bytes: number) => svg(rect).padEnd(bytes, " ");
    await expect(read(padded(svgBytesMax))).resolves.toBeDefined();
    await expect(read(padded(svgBytesMax + 1))).rejects.toThrow("up to 128 KB");
  });

  test("max elements are drawn and one more is refused", async () => {
    const many = (count: number) => svg("<g/>".repeat(count - 1));
    await expect(read(many(svgElementsMax))).resolves.toBeDefined();
    await expect(read(many(svgElementsMax + 1))).rejects.toThrow(`more than ${svgElementsMax}`);
  });

  test("max units per side are drawn and one more is refused", async () => {
    const wide = (side: number) => svg(rect, `width="${side}" height="10"`);
    await expect(read(wide(svgSideMax))).resolves.toBeDefined();
    await expect(read(wide(svgSideMax + 1))).rejects.toThrow(`up to ${svgSideMax}`);
    await expect(read(svg(rect, `viewBox="0 0 100000 5"`))).rejects.toThrow("Scale it down");
  });
});

describe("refused, with the reason", () => {
  const doubled = Array.from(
    { length: 30 },
    (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}"/></g>`,
  ).join("");
  const masks = Array.from(
    { length: 30 },
    (_, at) =>
      `<mask id="g${at + 1}"><rect mask="url(#g${at})"/><rect mask="url(#g${at})"/></mask>`,
  ).join("");

  test.each([
    ["entities", `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg("&a;")}`, "DOCTYPE"],
    ["shapes that double thirty times", svg(`<g id="g0">${rect}</g>${doubled}`), "draws more than"],
    [
      "masks that double thirty times",
      svg(`<mask id="g0">${rect}</mask>${masks}`),
      "draws more than",
    ],
    ["a circle", svg(`<g id="a"><use href="#a"/></g>`), "in a circle"],
    ["an image", svg(`<image href="https://example.com/a.png"/>`), "<image>"],
    ["an embedded image", svg(`<image href="data:image/png;base64,AA"/>`), "<image>"],
    ["a file", svg(`<use href="file:///etc/passwd#a"/>`), "another file"],
    ["a hidden file", svg(`<use href="&#104;ttps://example.com/#a"/>`), "another file"],
    ["a paint of another file", svg(`<rect fill="url(https://example.com/#a)"/>`), "another file"],
    ["an escaped paint", svg(`<rect fill="u\\72l(https://example.com/#a)"/>`), "another file"],
    ["imported styles", svg(`<style>@imp&#111;rt "https://example.com"</style>`), "@import"],
    ["styles with masks", svg(`<style>*{mask/**/:url(#a)}</style>`), "presentation attributes"],
    ["a style sheet", `<?xml-stylesheet href="a.css"?>${svg(rect)}`, "xml-stylesheet"],
    ["HTML inside", svg(`<foreignObject><p>x</p></foreignObject>`), "<foreignObject>"],
    ["a filter", svg(`<filter id="a"/>`), "<filter>"],
    ["text", svg(`<text>x</text>`), "convert text to paths"],
    ["deep nesting", svg(`${"<g>".repeat(60)}${"</g>".repeat(60)}`), "nested deeper"],
    ["one id twice", svg(`<g id="a"/><g id="a"/>`), "used twice"],
    ["no size", svg(rect, `width="0" height="0"`), ""],
    ["another document", `<?xml version="1.0"?><html/>`, "one <svg> element"],
  ])("%s", async (_name, text, reason) => {
    const refused = { code: "unprocessable_entity", message: expect.stringContaining(reason) };
    await expect(read(text)).rejects.toMatchObject(refused);
  });

  test("other encodings than UTF-8", async () => {
    const latin = Buffer.concat([Buffer.from("<svg>"), Buffer.from([0xe9]), Buffer.from("</svg>")]);
    await expect(readLogo(latin)).rejects.toThrow("UTF-8");
  });
});
