import { expect, test } from "vitest";
import { boardParts, filterChoices } from "./groupings.ts";

const filtersOf = (...given: Parameters<typeof filterChoices>) =>
  filterChoices(...given).map(({ filter }) => filter);

test("everything that a card of the board shows can be filtered by, once", () => {
  const filters = filtersOf(boardParts, []);
  expect(new Set(filters).size).toBe(filters.length);
  expect(filters).toEqual(expect.arrayContaining(["linkId", "country", "utm_source", "eventName"]));
});

test("a board offers no filter of a card or tab that it does not show", () => {
  expect(filtersOf(["devices"], [])).toEqual(["device", "browser", "os", "language", "trigger"]);
  expect(filtersOf(["devices"], ["browsers"])).not.toContain("browser");
  expect(filtersOf(["figures", "series"], [])).toEqual([]);
});

test("a typed value is spelled like those of clicks, and ids are not typed", () => {
  const choiceOf = (filter: string) =>
    filterChoices(boardParts, []).find((choice) => choice.filter === filter);
  expect(choiceOf("country")?.spell("de")).toBe("DE");
  expect(choiceOf("browser")?.spell("Firefox")).toBe("Firefox");
  expect(choiceOf("linkId")?.isObject).toBe(true);
});
