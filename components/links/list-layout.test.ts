import { expect, test } from "vitest";
import { columns, orderAfter, orderOf, parseLayout, writeLayout } from "./list-layout.ts";

const usual = {
  view: "rows",
  density: "comfortable",
  columns: columns.filter((name) => name !== "lastClicked"),
  folders: true,
};

test("a written layout is read again, and any other value gives the default", () => {
  for (const chosen of [[], ["clicks"], columns] as const) {
    const layout = {
      view: "cards",
      density: "compact",
      columns: [...chosen],
      folders: false,
    } as const;
    expect(parseLayout(writeLayout(layout))).toEqual(layout);
  }
  for (const text of [undefined, "", "tiles.huge", "rows", "\0.\0"]) {
    expect(parseLayout(text)).toEqual(usual);
  }
  expect(parseLayout("cards.compact")).toEqual({ ...usual, view: "cards", density: "compact" });
  expect(parseLayout("rows.compact.clicks-weight-tags").columns).toEqual(["tags", "clicks"]);
});

test("a column sorts by its largest values first, then the other way around, and so on", () => {
  const after = (name: string, sortBy: Parameters<typeof orderAfter>[1]) =>
    orderAfter(orderOf(name), sortBy).name;
  expect(after("newest", "clicks")).toBe("clicks");
  expect(after("clicks", "clicks")).toBe("fewestClicks");
  expect(after("fewestClicks", "clicks")).toBe("clicks");
  expect(after("newest", "createdAt")).toBe("oldest");
  expect(after("clicks", "createdAt")).toBe("newest");
  expect(after("clicks", "lastClicked")).toBe("lastClicked");
});
