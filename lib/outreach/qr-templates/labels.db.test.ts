/** Sheets of labels: rendered by an independent program, each code read at the place of its label. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import type { Link, NewLink } from "#lib/links/fields/schema";
import { plainDesign } from "#lib/links/qr-design/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { type Picture, pgmOf, renderGreyPdf } from "../../../test/pdf.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { readQrCodes } from "../../../test/zbar.ts";
import { createTemplate, openLabelSheets, storeLogo } from "./index.ts";
import { labelLinksMax } from "./label-body.ts";
import { type Area, type LabelSheet, labelPresets, partsOf, placesOf } from "./label-sheets.ts";
import { labelSheetsBody, newTemplate, pageSizes, presetNames } from "./schema.ts";

openTestStores();

const dotsPerInch = 300;
const pixelsPerMillimeter = dotsPerInch / 25.4;
let ada: WorkspaceScope;
let eve: WorkspaceScope;
let folder = "";
let files = 0;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("labels-ada");
  eve = await makeTestScope("labels-eve");
  folder = mkdtempSync(join(tmpdir(), "fuxi-labels-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function makeMany(count: number, more: Partial<NewLink> = {}, scope = ada): Promise<Link[]> {
  const one = (at: number) => ({ url: "https://example.com/", title: `Shelf ${at + 1}`, ...more });
  return make(
    scope,
    Array.from({ length: count }, (_, at) => one(at)),
  );
}

async function print(links: readonly Link[], more: object = {}, scope = ada) {
  const linkIds = links.map(({ id }) => id);
  const file = await openLabelSheets(scope, labelSheetsBody.parse({ linkIds, ...more }));
  const chunks: Uint8Array[] = [];
  await file.send(async (bytes) => void chunks.push(Uint8Array.from(bytes)));
  return { pdf: Buffer.concat(chunks), moduleMillimeters: file.moduleMillimeters };
}

async function render(pdf: Buffer, page = 1): Promise<Picture> {
  files += 1;
  const file = join(folder, `${files}.pdf`);
  writeFileSync(file, pdf);
  return await renderGreyPdf(file, dotsPerInch, page);
}

/** The picture of an area of a rendered page, in millimeters. */
function cut(picture: Picture, area: Area): Picture {
  const pixels = (millimeters: number) => Math.round(millimeters * pixelsPerMillimeter);
  const [left, top] = [pixels(area.x), pixels(area.y)];
  const [width, height] = [pixels(area.width), pixels(area.height)];
  if (left < 0 || top < 0 || left + width > picture.width || top + height > picture.height) {
    throw new Error("The area is not within the page");
  }
  const rows = Array.from({ length: height }, (_, row) => {
    const start = (top + row) * picture.width + left;
    return picture.data.subarray(start, start + width);
  });
  return { data: Buffer.concat(rows), width, height };
}

/** The code of each place; every place is a file of its own, so that it has only what is within the label. */
async function readLabels(picture: Picture, places: readonly Area[]) {
  const cuts = places.map((place) => {
    files += 1;
    const file = join(folder, `${files}.pgm`);
    writeFileSync(file, pgmOf(cut(picture, place)));
    return file;
  });
  return await readQrCodes(cuts);
}

const codesOf = (links: readonly Link[]) => links.map(({ shortLink }) => `${shortLink}?qr=1`);

/** The edges of the dark pixels of an area, in millimeters. */
function inkOf(picture: Picture, area: Area) {
  const { data, width, height } = cut(picture, area);
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (const [at, value] of data.entries()) {
    if (value > 128) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  const millimeters = (pixels: number) => pixels / pixelsPerMillimeter;
  return [left, right, top, bottom].map(millimeters) as [number, number, number, number];
}

/** The operators of each page. */
function contentsOf(pdf: Buffer): string[] {
  const text = pdf.toString("latin1");
  return [...text.matchAll(/\/Contents (\d+) 0 R/g)].map(([, number]) => {
    const object = text.indexOf(`\n${number} 0 obj\n`);
    const from = text.indexOf("stream\n", object) + "stream\n".length;
    return inflateSync(pdf.subarray(from, text.indexOf("\nendstream", from))).toString();
  });
}

/** The measures of all are checked in label-sheets.test.ts; the long run prints and reads all. */
const printed = presetNames.filter((_, at) => process.env["TEST_LONG"] || at % 4 === 0);

describe.each(printed)("preset %s", (preset) => {
  test("every code of a full sheet is read within its label, and the next one is on the next page", async () => {
    const sheet = labelPresets[preset];
    const places = placesOf(sheet);
    const links = await makeMany(places.length + 1);
    const { pdf } = await print(links, { preset });
    expect(await readLabels(await render(pdf), places)).toEqual(codesOf(links).slice(0, -1));
    const next = await render(pdf, 2);
    expect(await readLabels(next, places.slice(0, 2))).toEqual([codesOf(links).at(-1), undefined]);
    const page = pageSizes[sheet.page];
    expect(next.width).toBeCloseTo(page.width * pixelsPerMillimeter, -0.5);
    expect(next.height).toBeCloseTo(page.height * pixelsPerMillimeter, -0.5);
  });
});

const custom = {
  page: "a4",
  columns: 2,
  rows: 3,
  labelWidth: 40,
  labelHeight: 40,
  marginLeft: 17,
  marginTop: 23,
  gapX: 11,
  gapY: 7,
} satisfies LabelSheet;

test("a code is where its measures say, to a tenth of a millimeter", async () => {
  const links = await makeMany(6, { qr: { ...plainDesign, margin: 0 } });
  const picture = await render(
    (await print(links, { sheet: custom, shortLink: false, title: false })).pdf,
  );
  for (const [column, row, x, y] of [
    [0, 0, 17, 23],
    [1, 0, 68, 23],
    [0, 1, 17, 70],
    [1, 2, 68, 117],
  ] as const) {
    expect(placesOf(custom)[row * 2 + column]).toEqual({ x, y, width: 40, height: 40 });
    const [left, right, top, bottom] = inkOf(picture, { x, y, width: 40, height: 40 });
    // Two millimeters of padding on each side.
    for (const [found, wanted] of [
      [left, 2],
      [right, 38],
      [top, 2],
      [bottom, 38],
    ] as const) {
      expect(Math.abs(found - wanted)).toBeLessThan(0.1);
    }
  }
});

test("texts are within their label, below or beside the code, and a long title is cut", async () => {
  const long = "扫码查看本店全部商品与优惠活动 — Everything in this shop at a glance ".repeat(6);
  const [link] = await makeMany(1, { title: long });
  for (const textPlace of ["below", "beside"] as const) {
    for (const preset of ["a4-3x7", "a4-5x7", "a4-5x13"] as const) {
      const picture = await render((await print([link as Link], { preset, textPlace })).pdf);
      const [place] = placesOf(labelPresets[preset]) as [Area];
      const { code, text } = partsOf(labelPresets[preset], {
        shortLink: true,
        title: true,
        textPlace,
      });
      if (!text) throw new Error("no text");
      const area = { ...text, x: place.x + text.x, y: place.y + text.y };
      const [left, right, top, bottom] = inkOf(picture, area);
      expect(right - left).toBeGreaterThan(text.width * 0.6);
      expect(bottom - top).toBeGreaterThan(text.size);
      // Nothing outside of the label.
      const around = {
        x: place.x - 2,
        y: place.y - 2,
        width: place.width + 4,
        height: place.height + 4,
      };
      const [first, last, above, under] = inkOf(picture, around);
      expect(Math.min(first, above)).toBeGreaterThanOrEqual(2);
      expect(last).toBeLessThan(2 + place.width);
      expect(under).toBeLessThan(2 + place.height);
      expect(code.width).toBeGreaterThan(5);
      expect(await readLabels(picture, [place])).toEqual(codesOf([link as Link]));
    }
  }
});

test("characters that no font has are left out, and a title without any other has no line", async () => {
  const [plain] = await makeMany(1, { title: null, key: "shelf-1" });
  const [none] = await makeMany(1, { title: "😀 안녕", key: "shelf-2" });
  const [some] = await makeMany(1, { title: "😀 Shelf", key: "shelf-3" });
  const paths = async (link: Link | undefined) => {
    const [content = ""] = contentsOf((await print([link as Link], {})).pdf);
    return content.split("\n").filter((line) => line.includes(" c ")).length;
  };
  const [first, second, third] = [await paths(plain), await paths(none), await paths(some)];
  expect(second).toBe(first);
  expect(third).toBeGreaterThan(second);
});

test("a sheet that was partly used starts at its next label", async () => {
  const links = await makeMany(6);
  const { pdf } = await print(links, { sheet: custom, startAt: 5 });
  const places = placesOf(custom);
  const codes = codesOf(links);
  expect(await readLabels(await render(pdf), places)).toEqual([
    ...Array(4).fill(undefined),
    ...codes.slice(0, 2),
  ]);
  expect(await readLabels(await render(pdf, 2), places)).toEqual([
    ...codes.slice(2),
    undefined,
    undefined,
  ]);
  expect(contentsOf(pdf)).toHaveLength(2);
});

test("cut marks are at the corners of labels, and only if they are asked for", async () => {
  const links = await makeMany(1);
  const corner = { x: 17 - 1.5, y: 23 - 1.5, width: 3, height: 3 };
  const last = { x: 68 + 40 - 1.5, y: 117 + 40 - 1.5, width: 3, height: 3 };
  const marked = await render((await print(links, { sheet: custom, cutMarks: true })).pdf);
  const plain = await render((await print(links, { sheet: custom })).pdf);
  for (const area of [corner, last]) {
    const [left, right, top, bottom] = inkOf(marked, area);
    expect(right - left).toBeGreaterThan(2.8);
    expect(bottom - top).toBeGreaterThan(2.8);
    expect(inkOf(plain, area)[1]).toBe(0);
  }
});

test("each link has its own design, with its logo once in the file, unless a template is chosen", async () => {
  const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#d0402b" } })
    .png()
    .toBuffer();
  const { id: logoId } = await storeLogo(ada, png);
  const branded = { ...plainDesign, logoId, gradient: "linear" as const };
  const links = [
    ...(await makeMany(2, { qr: branded })),
    ...(await makeMany(1, { qr: { ...plainDesign, foreground: "#1e3a8a", dots: "dots" } })),
  ];
  const { pdf } = await print(links, { preset: "a4-3x7" });
  const places = placesOf(labelPresets["a4-3x7"]);
  expect(await readLabels(await render(pdf), places.slice(0, 3))).toEqual(codesOf(links));
  expect(pdf.toString("latin1").match(/\/SMask/g)).toHaveLength(1);
  const { id: template } = await createTemplate(ada, newTemplate.parse({ name: "Plain labels" }));
  const plain = await print(links, { preset: "a4-3x7", template });
  expect(plain.pdf.toString("latin1")).not.toContain("/SMask");
});

test("codes that a printer cannot draw are refused with the width they need, and small ones are reported", async () => {
  const tiny = {
    columns: 1,
    rows: 1,
    labelWidth: 10,
    labelHeight: 10,
    marginLeft: 5,
    marginTop: 5,
  };
  const [short] = await makeMany(1);
  const bare = { shortLink: false, title: false };
  const small = await print([short as Link], { sheet: tiny, ...bare });
  expect(small.moduleMillimeters).toBeGreaterThan(0.17);
  expect(small.moduleMillimeters).toBeLessThan(0.33);
  expect((await print([short as Link], {})).moduleMillimeters).toBeGreaterThan(0.33);
  const [long] = await makeMany(1, { key: "k".repeat(150) });
  await expect(
    print([short as Link, long as Link], { sheet: tiny, ...bare }),
  ).rejects.toMatchObject({
    code: "unprocessable_entity",
    problem: { code: "label_too_small" },
    message: expect.stringMatching(
      /^The QR code of .*k{9,} would be 8\.8 mm wide, and needs 1\d(\.\d)? mm/,
    ),
  });
});

test("links of another workspace are answered exactly like missing ones", async () => {
  const [link] = await makeMany(1);
  const [own] = await makeMany(1, {}, eve);
  const missing = { code: "not_found" };
  await expect(print([own as Link, link as Link], {}, eve)).rejects.toMatchObject(missing);
  const { id: template } = await createTemplate(ada, newTemplate.parse({ name: "Ada's" }));
  await expect(print([own as Link], { template }, eve)).rejects.toMatchObject(missing);
  await expect(print([own as Link], {}, eve)).resolves.toBeDefined();
});

test("the largest file is sent page by page, and other requests are served meanwhile", async () => {
  const many = await makeTestScope("labels-many");
  const links = await makeMany(labelLinksMax, {}, many);
  const linkIds = links.map(({ id }) => id);
  const file = await openLabelSheets(many, labelSheetsBody.parse({ linkIds }));
  // Requests are served in the turns between.
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  let largest = 0;
  let pages = 0;
  await file.send((bytes) => {
    largest = Math.max(largest, bytes.length);
    if (Buffer.from(bytes).includes("/Type /Page ")) pages += 1;
    return Promise.resolve();
  });
  clearInterval(counting);
  expect(pages).toBe(Math.ceil(labelLinksMax / 21));
  // A page, not the file.
  expect(largest).toBeLessThan(300_000);
  expect(turns).toBeGreaterThanOrEqual(pages);
});
