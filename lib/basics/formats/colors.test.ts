import fc from "fast-check";
import { expect, test } from "vitest";
import { contrastOf, readableOn, textContrastMin } from "./schema.ts";

test("the contrast is that of WCAG, in either order", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastOf("#ffffff", "#000000")).toBeCloseTo(21, 5);
  expect(contrastOf("#123456", "#123456")).toBe(1);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("a shade of any color is readable on both cards, and a readable color stays as it is", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, (...bytes) => {
      const color = `#${bytes.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
      for (const background of ["#ffffff", "#18181b"]) {
        const shade = readableOn(color, background);
        expect(contrastOf(shade, background)).toBeGreaterThanOrEqual(textContrastMin);
        if (contrastOf(color, background) >= textContrastMin) expect(shade).toBe(color);
      }
    }),
  );
});
