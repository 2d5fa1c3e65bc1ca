/** Parts of messages, compared with another implementation and with the examples of two gateways. */
import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { describe, expect, test } from "vitest";
import { findWideCharacters, partsOf, replaceWideCharacters, segmentsOf } from "./index.ts";

const runs = process.env["TEST_LONG"] === "1" ? 100_000 : 3_000;
const lengthsOf = (text: string, country: string) =>
  segmentsOf(text, country).parts.map((part) => part.length);

// Single characters only: the other implementation moves clusters such as flags whole to the next part, and counts a
// line break of two characters as one cluster.
const plain = fc.constantFrom(
  ..."@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà",
);
const extended = fc.constantFrom(..."^{}\\[~]|€");
const wide = fc.constantFrom("中", "文", "–", "“", "…", "ç", "я", "😀", "🎉", "𠮷", "你", "。");
const narrowText = fc.string({ unit: fc.oneof(plain, extended), maxLength: 700 });
const anyText = fc.string({
  unit: fc.oneof({ weight: 20, arbitrary: plain }, { weight: 3, arbitrary: extended }, wide),
  maxLength: 400,
});

// What is drawn as one character but sent as several: the two implementations differ in it, see below.
const joined = fc.constantFrom(
  "e\u0301",
  "n\u0303",
  "a\u0308\u0323",
  "👨‍👩‍👧‍👦",
  "👍🏽",
  "🇩🇪",
  "❤️",
  "1️⃣",
  "각",
  "नि",
  "\u0301",
  "\r\n",
);
const everyText = fc.string({
  unit: fc.oneof(
    { weight: 20, arbitrary: plain },
    { weight: 3, arbitrary: extended },
    { weight: 3, arbitrary: wide },
    { weight: 2, arbitrary: joined },
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 400,
});

/**
 * The other implementation never cuts what is drawn as one character, so it may need more parts. Standards know
 * characters of 16 bits only (3GPP TS 23.038), and gateways cut between them: what is charged is the lower number. A
 * line break of two characters is one of UCS-2 there, although both are in the alphabet of GSM.
 */
function agreesWithoutClusters(text: string): void {
  const own = segmentsOf(text, "US");
  const other = new SegmentedMessage(text);
  if (!text.includes("\r\n")) expect(own.encoding).toBe(other.encodingName);
  if (own.encoding !== other.encodingName) return;
  expect(own.parts.length).toBeLessThanOrEqual(other.segmentsCount);
  const hasClusters = other.graphemes.some((one) => [...one].length > 1);
  if (!hasClusters) expect(own.parts.length).toBe(other.segmentsCount);
  const { single, perPart } =
    own.encoding === "GSM-7" ? { single: 160, perPart: 153 } : { single: 70, perPart: 67 };
  const least = own.units <= single ? 1 : Math.ceil(own.units / perPart);
  expect(own.parts.length).toBeGreaterThanOrEqual(least);
}

function agrees(text: string): void {
  const other = new SegmentedMessage(text);
  const own = segmentsOf(text, "US");
  expect([own.encoding, own.parts.length]).toEqual([other.encodingName, other.segmentsCount]);
}

describe("parts", () => {
  test("are as many as another implementation counts, for texts of the GSM alphabet", () => {
    fc.assert(fc.property(narrowText, agrees), { numRuns: runs });
  });

  test("are as many as another implementation counts, for texts with any characters", () => {
    fc.assert(fc.property(anyText, agrees), { numRuns: runs });
  });

  test("with combining characters and joined emoji are never more, and without them as many", () => {
    fc.assert(fc.property(everyText, agreesWithoutClusters), { numRuns: runs });
  });

  test("are the whole text, never too long, and never cut through a character", () => {
    const country = fc.constantFrom("US", "CN");
    const property = fc.property(anyText, country, (text, to) => {
      const { parts, encoding } = segmentsOf(text, to);
      expect(parts.join("")).toBe(text);
      const max = encoding === "GSM-7" ? [160, 153] : [70, 67];
      for (const part of parts) {
        expect(part.isWellFormed()).toBe(true);
        expect(segmentsOf(part, to).units).toBeLessThanOrEqual(max[parts.length > 1 ? 1 : 0] ?? 0);
      }
    });
    fc.assert(property, { numRuns: runs });
  });

  test.each([
    ["GSM-7", "a", 160, 153],
    ["UCS-2", "中", 70, 67],
  ])("%s: one up to the maximum, two with one more", (encoding, char, single, joined) => {
    expect(segmentsOf(char.repeat(single), "US")).toMatchObject({ encoding, units: single });
    expect(lengthsOf(char.repeat(single), "US")).toEqual([single]);
    expect(lengthsOf(char.repeat(single + 1), "US")).toEqual([joined, single + 1 - joined]);
    expect(partsOf(char.repeat(2 * joined), "US")).toBe(2);
    expect(partsOf(char.repeat(2 * joined + 1), "US")).toBe(3);
  });

  test("an extension character counts two, and is not split between two parts", () => {
    expect(segmentsOf("€", "US").units).toBe(2);
    expect(partsOf("€".repeat(80), "US")).toBe(1);
    expect(partsOf(`${"€".repeat(80)}a`, "US")).toBe(2);
    expect(lengthsOf(`${"a".repeat(152)}€${"a".repeat(10)}`, "US")).toEqual([152, 11]);
  });

  test("a surrogate pair counts two, and is not split between two parts", () => {
    expect(segmentsOf("😀", "US").units).toBe(2);
    expect(partsOf("😀".repeat(35), "US")).toBe(1);
    expect(partsOf(`${"😀".repeat(35)}a`, "US")).toBe(2);
    expect(lengthsOf(`${"中".repeat(66)}😀${"中".repeat(5)}`, "US")).toEqual([66, 7]);
  });

  test("in mainland China letters count like every other character", () => {
    expect(segmentsOf("a".repeat(70), "CN")).toMatchObject({ encoding: "UCS-2", units: 70 });
    expect(partsOf("a".repeat(70), "CN")).toBe(1);
    expect(partsOf("a".repeat(71), "CN")).toBe(2);
    expect(partsOf("a".repeat(134), "CN")).toBe(2);
    expect(partsOf("a".repeat(135), "CN")).toBe(3);
    expect(partsOf("a".repeat(135), "HK")).toBe(1);
  });
});

// https://www.twilio.com/docs/glossary/what-sms-character-limit, read in November 2026.
describe("the examples of Twilio", () => {
  test.each([
    ["161 characters: 153 and 8", "a".repeat(161), [153, 8]],
    ["71 characters with Chinese: 67 and 4", "中".repeat(71), [67, 4]],
  ])("%s", (_, text, lengths) => {
    expect(lengthsOf(text, "US")).toEqual(lengths);
  });
});

// Short Message Service, billing, “短信内容长度计算规则” (help.aliyun.com), read in November 2026.
describe("the examples of Alibaba Cloud", () => {
  test.each([
    ["mainland, 160 characters: 67, 67 and 26", "字".repeat(160), "CN", [67, 67, 26]],
    ["abroad in English, 350 characters: 153, 153 and 44", "x".repeat(350), "GB", [153, 153, 44]],
    ["abroad in others, 150 characters: 67, 67 and 16", "语".repeat(150), "JP", [67, 67, 16]],
  ])("%s", (_, text, country, lengths) => {
    expect(lengthsOf(text, country)).toEqual(lengths);
  });
});

describe("characters that make a text UCS-2", () => {
  test("are found with their position and what can replace them", () => {
    expect(findWideCharacters("😀 A – “b”…")).toEqual([
      { at: 0, char: "😀", replacement: null },
      { at: 5, char: "–", replacement: "-" },
      { at: 7, char: "“", replacement: '"' },
      { at: 9, char: "”", replacement: '"' },
      { at: 10, char: "…", replacement: "..." },
    ]);
  });

  test("every replacement is of the GSM alphabet, and replacing again changes nothing", () => {
    const bmp = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code));
    const upper = Array.from({ length: 0x2000 }, (_, at) => String.fromCharCode(0xe000 + at));
    const found = findWideCharacters([...bmp, ...upper].join(""));
    const replaced = found.flatMap(({ replacement }) => replacement ?? []);
    expect(replaced.length).toBeGreaterThan(140);
    expect(findWideCharacters(replaced.join(""))).toEqual([]);
  });

  test("a text without others than replaceable ones becomes GSM-7", () => {
    const text = "It’s – “20 %” off… ＡＢＣ（１）\u00a0now";
    expect(segmentsOf(text, "US").encoding).toBe("UCS-2");
    const replaced = replaceWideCharacters(text);
    expect(replaced).toBe('It\'s - "20 %" off... ABC(1) now');
    expect(segmentsOf(replaced, "US").encoding).toBe("GSM-7");
  });
});
