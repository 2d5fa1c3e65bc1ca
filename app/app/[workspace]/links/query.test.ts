import { describe, expect, test } from "vitest";
import { cutPage, listOf, pageSize, parseQuery, urlOf } from "./query.ts";

function rows(count: number): { id: string }[] {
  return Array.from({ length: count }, (_, at) => ({ id: `link_${at}` }));
}

describe("a page of links", () => {
  test("the first page of a short list has no other page", () => {
    const page = cutPage(rows(pageSize), parseQuery({}));
    expect(page.rows).toHaveLength(pageSize);
    expect([page.before, page.after]).toEqual([undefined, undefined]);
  });

  test("one row more than a page gives a next page and is not shown", () => {
    const page = cutPage(rows(pageSize + 1), parseQuery({}));
    expect(page.rows).toHaveLength(pageSize);
    expect(page.after).toBe(`link_${pageSize - 1}`);
    expect(page.before).toBeUndefined();
  });

  test("backwards, the extra row is the first one", () => {
    const page = cutPage(rows(pageSize + 1), parseQuery({ before: "link_x" }));
    expect(page.rows).toHaveLength(pageSize);
    expect(page.before).toBe("link_1");
    expect(page.after).toBe(`link_${pageSize}`);
  });

  test("backwards to the very first row, no page is before it", () => {
    const page = cutPage(rows(3), parseQuery({ before: "link_x" }));
    expect(page.before).toBeUndefined();
    expect(page.after).toBe("link_2");
  });
});

describe("the address of a list", () => {
  test("keeps every filter and replaces the cursor", () => {
    const query = parseQuery({
      search: " a b ",
      domain: "go.example",
      tag: "tag_1",
      folder: "fold_1",
      user: "user_1",
      clicked: "false",
      order: "clicks",
      archived: "true",
      after: "1",
    });
    expect(urlOf("/x", query, { before: "2" })).toBe(
      "/x?search=a+b&domain=go.example&tag=tag_1&folder=fold_1&user=user_1&clicked=false&order=clicks&archived=true&before=2",
    );
    expect(urlOf("/x", parseQuery({}), {})).toBe("/x");
  });

  test("a filter that is given twice or too long is replaced by one that the list can answer", () => {
    const query = parseQuery({
      search: "a".repeat(201),
      domain: ["a", "b"],
      tag: "t".repeat(256),
      order: "random",
      clicked: "maybe",
      archived: "yes",
    });
    expect(query).toMatchObject({ domain: "", tag: "t".repeat(255), order: "newest", clicked: "" });
    expect(listOf(query)).toMatchObject({ search: "a".repeat(200), showArchived: false });
  });
});
