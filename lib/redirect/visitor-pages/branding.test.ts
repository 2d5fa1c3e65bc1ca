import fc from "fast-check";
import { expect, test } from "vitest";
import { contrastOf, inkOn } from "#lib/basics/formats/schema";
import { compileBranding } from "./branding.ts";

test("text on a button of any colour has the contrast of WCAG AA, and no other ink has more", () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, (red, green, blue) => {
      const hex = [red, green, blue].map((byte) => byte.toString(16).padStart(2, "0"));
      const color = `#${hex.join("")}`;
      const ink = inkOn(color) === "#000" ? "#000000" : "#ffffff";
      const other = ink === "#000000" ? "#ffffff" : "#000000";
      expect(contrastOf(ink, color)).toBeGreaterThan(4.5);
      expect(contrastOf(ink, color)).toBeGreaterThanOrEqual(contrastOf(other, color) - 1e-9);
    }),
  );
});

test("default branding has no style and no image", () => {
  expect(compileBranding(null, null)).toMatchObject({ css: "", logoHtml: "" });
});
