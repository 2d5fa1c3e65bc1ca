import { expect, test, vi } from "vitest";
import { createDocsIndex } from "#components/docs/search-index.ts";
import { openDocsIndex } from "./entries.ts";

vi.mock("#components/docs/search-index.ts", async (load) => {
  const real = await load<typeof import("#components/docs/search-index.ts")>();
  return { ...real, createDocsIndex: vi.fn(real.createDocsIndex) };
});
vi.mock("./shown-guides.ts", () => ({ listShownGuides: () => ["start"] }));
vi.mock("./api/document.ts", () => ({
  getReference: () => ({ server: "", resources: [] }),
  slugOf: () => "",
}));

test("the search index of a language is built once, however many people search at once", async () => {
  const searches = Array.from({ length: 20 }, async () => (await openDocsIndex("en"))("link", 5));
  for (const found of await Promise.all(searches)) expect(found.length).toBeGreaterThan(0);
  await openDocsIndex("zh");
  await openDocsIndex("zh");
  expect(createDocsIndex).toHaveBeenCalledTimes(2);
});
