import fc from "fast-check";
import { expect, test } from "vitest";
import { createWorkspaceBody, slugCharsMax, slugCharsMin } from "#lib/tenancy/workspaces/schema";
import { slugOf } from "./slug.ts";

const limits = { min: slugCharsMin, max: slugCharsMax };

test.each([
  ["Acme", "acme"],
  ["Café Müller & Söhne", "cafe-muller-sohne"],
  ["  --A  b--  ", "a-b"],
  ["伏羲", ""],
  ["ab", ""],
])("the name %j suggests the address %j", (name, slug) => {
  expect(slugOf(name, limits)).toBe(slug);
});

test("every suggested address is accepted by the server", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (name) => {
      const slug = slugOf(name, limits);
      expect(slug === "" || createWorkspaceBody.shape.slug.safeParse(slug).success).toBe(true);
    }),
  );
});
