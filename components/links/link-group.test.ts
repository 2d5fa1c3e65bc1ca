import { expect, test } from "vitest";
import { linkShape } from "#lib/links/fields/schema";
import { expectChange, expectRemoved } from "./link-group.ts";

const spring = { id: "tag_1", name: "Spring", color: "red" };
const autumn = { id: "tag_2", name: "Autumn", color: "blue" };

function link(id: string, more: object = {}) {
  const empty = Object.fromEntries(Object.keys(linkShape.shape).map((name) => [name, null]));
  // Sound for the fields that are read here: id, tags, folder and archive.
  return { ...empty, id, tags: [], archived: false, ...more } as never;
}

const links = [link("1", { tags: [spring] }), link("2"), link("3")];
const both = new Set(["1", "2"]);
const shown = { archived: false, tags: [autumn] };

test("archived links leave a list that does not show them, and stay in one that does", () => {
  const ids = (archived: boolean) =>
    expectChange(both, { archived: true }, { ...shown, archived })(links).map(({ id }) => id);
  expect(ids(false)).toEqual(["3"]);
  expect(ids(true)).toEqual(["1", "2", "3"]);
});

test("tags are added to and removed from the selected links, by name, and none twice", () => {
  const change = { addTagIds: [autumn.id], removeTagIds: [] };
  const twice = expectChange(both, change, shown)(expectChange(both, change, shown)(links));
  expect(twice.map(({ tags }) => tags.map(({ name }) => name))).toEqual([
    ["Autumn", "Spring"],
    ["Autumn"],
    [],
  ]);
  const [first] = expectChange(both, { removeTagIds: [spring.id] }, shown)(links);
  expect(first?.tags).toEqual([]);
});

test("unnamed fields stay unchanged", () => {
  expect(expectChange(new Set(), { archived: true, folderId: "f" }, shown)(links)).toEqual(links);
  expect(expectRemoved(both)(links).map(({ id }) => id)).toEqual(["3"]);
});
