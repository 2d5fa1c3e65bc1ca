import { expect, test } from "vitest";
import { sortByReferences } from "./dump.ts";

test("tables come after those they refer to", () => {
  const tables = [
    { name: "link_tag", references: ["tag", "link"] },
    { name: "tag", references: ["workspace"] },
    { name: "link", references: [] },
    { name: "workspace", references: [] },
  ];
  const order = sortByReferences(tables).map(({ name }) => name);
  expect(order).toEqual(["link", "workspace", "tag", "link_tag"]);
});

test("tables that refer to each other in a circle are refused by name", () => {
  const tables = [
    { name: "egg", references: ["hen"] },
    { name: "hen", references: ["egg"] },
  ];
  expect(() => sortByReferences(tables)).toThrow("egg, hen");
});
