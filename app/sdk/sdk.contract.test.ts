/** The typed client against the running API. What does not compile here would not compile in a program either. */
import { expect, expectTypeOf, test } from "vitest";
import { address, apiKey, origin, runSuffix } from "../../test/contract-server.ts";
import { openFuxi } from "./index.ts";

const fuxi = openFuxi({ address: `${origin.origin}/`, apiKey, application: "typed-client/1.0" });
const domain = origin.hostname;

test("a link is created, found, changed, counted and deleted", async () => {
  const url = address("typed");
  const { data: link } = await fuxi.POST("/api/links", { body: { url, domain } });
  expect(link).toMatchObject({ url, domain });
  if (!link) return;
  expectTypeOf(link.shortLink).toEqualTypeOf<string>();
  expectTypeOf(link.clicks).toEqualTypeOf<number>();
  const path = { id: link.id };
  const found = await fuxi.GET("/api/links/{id}", { params: { path } });
  expect(found.data?.key).toBe(link.key);
  const changed = await fuxi.PATCH("/api/links/{id}", {
    params: { path },
    body: { title: "Typed" },
  });
  expect(changed.data?.title).toBe("Typed");
  const counted = await fuxi.GET("/api/links/count", { params: { query: { search: url } } });
  expect(counted.data).toBe(1);
  const deleted = await fuxi.DELETE("/api/links/{id}", { params: { path } });
  expect(deleted.data?.id).toBe(link.id);
});

test("lists in a query are read as lists", async () => {
  const names = [`b-${runSuffix}`, `c-${runSuffix}`];
  const made = await Promise.all(names.map((name) => fuxi.POST("/api/tags", { body: { name } })));
  const ids = made.map(({ data }) => data?.id ?? "");
  const { data: tags } = await fuxi.GET("/api/tags", { params: { query: { ids } } });
  expect(tags?.map(({ name }) => name).toSorted()).toEqual(names);
});

test("an error has its code and message, and no data", async () => {
  const path = { id: "link_missing" };
  const { data, error, response } = await fuxi.GET("/api/links/{id}", { params: { path } });
  expect([response.status, data, error?.error.code]).toEqual([404, undefined, "not_found"]);
});

test("operations and fields that do not exist do not compile", () => {
  // Only compiled.
  const wrong = () => {
    // @ts-expect-error: no such operation.
    void fuxi.GET("/api/nothing");
    // @ts-expect-error: the destination is missing.
    void fuxi.POST("/api/links", { body: { domain } });
    // @ts-expect-error: a number is expected.
    void fuxi.GET("/api/links", { params: { query: { pageSize: "many" } } });
  };
  expect(wrong).toBeTypeOf("function");
});
