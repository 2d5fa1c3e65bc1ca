import { describe, expect, test } from "vitest";
import { usualPageSize as pageSize } from "#components/links/page-size.ts";
import { cutPage, firstRowOf, isFiltered, listOf, parseQuery, urlOf } from "./query.ts";

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

test("a page has as many links as the chosen size", () => {
  for (const size of [25, 50, 100]) {
    const query = parseQuery({ size: String(size) });
    expect(listOf(query).pageSize).toBe(size + 1);
    expect(cutPage(rows(size + 1), query).rows).toHaveLength(size);
  }
});

test("the position of a page is only a positive whole number", () => {
  expect(firstRowOf({ row: "51" })).toBe(51);
  for (const row of ["0", "-1", "x", "1.5", ["2", "3"]]) expect(firstRowOf({ row })).toBe(1);
});

test("a list is filtered by each of its filters, and not by its order or size", () => {
  for (const name of ["status", "from", "import", "key", "archived"]) {
    const value = { status: "active", from: "2026-01-01", archived: "true" }[name] ?? "x";
    expect([name, isFiltered(parseQuery({ [name]: value }))]).toEqual([name, true]);
  }
  expect(isFiltered(parseQuery({ order: "clicks", size: "100", after: "link_x" }))).toBe(false);
});

describe("the address of a list", () => {
  test("keeps every filter and replaces the cursor", () => {
    const query = parseQuery({
      search: " a b ",
      domain: "go.example",
      tag: "tag_1,tag_2",
      folder: "fold_1",
      user: "user_1",
      key: "key_1",
      import: "imp_1",
      status: "expired",
      feature: "password",
      from: "2026-01-31",
      to: "2026-02-28",
      size: "100",
      clicked: "false",
      order: "clicks",
      archived: "true",
      after: "1",
    });
    expect(urlOf("/x", query, { before: "2" })).toBe(
      "/x?search=a+b&domain=go.example&tag=tag_1%2Ctag_2&folder=fold_1&user=user_1&key=key_1&import=imp_1&status=expired&feature=password&from=2026-01-31&to=2026-02-28&clicked=false&order=clicks&archived=true&size=100&before=2",
    );
    expect(urlOf("/x", parseQuery({}), {})).toBe("/x");
  });

  test("a filter that is given twice or too long is replaced by one that the list can answer", () => {
    const query = parseQuery({
      search: "a".repeat(201),
      domain: ["a", "b"],
      tag: "t,".repeat(300),
      status: "gone",
      feature: ["rules", "test"],
      from: "2026-02-30",
      to: "yesterday",
      size: "1000",
      order: "random",
      clicked: "maybe",
      archived: "yes",
    });
    expect(query).toMatchObject({ domain: "", order: "newest", clicked: "", size: pageSize });
    expect(query).toMatchObject({ status: "", feature: "", from: "", to: "" });
    expect(query.tags).toHaveLength(20);
    expect(listOf(query)).toMatchObject({ search: "a".repeat(200), showArchived: false });
  });
});
