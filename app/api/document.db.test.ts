/** The document at /api/openapi.json, checked by a public linter. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openTestStores } from "../../test/stores.ts";

openTestStores({ FUXI_URL: "https://links.fuxi.dev" });

test("a public linter finds no error in the document", async () => {
  const { fetchApi } = await import("./index.ts");
  const response = await fetchApi(new Request("http://localhost/api/openapi.json"), "192.0.2.1");
  // The terms of use are up to the operator of an instance.
  const config = await createConfig({ extends: ["recommended"], rules: { "info-license": "off" } });
  const problems = await lintFromString({ source: await response.text(), config });
  const errors = problems.filter(({ severity }) => severity === "error");
  const found = errors.map(({ ruleId, severity, message, location }) => ({
    ruleId,
    severity,
    message,
    at: location[0]?.pointer,
  }));
  expect(found).toEqual([]);
});

test("every operation belongs to a group of the document", async () => {
  const { describeApi } = await import("./index.ts");
  const { tags = [], paths = {} } = describeApi();
  const used = Object.values(paths).flatMap((path) =>
    [path.get, path.post, path.put, path.patch, path.delete].flatMap((operation) =>
      operation ? [operation.tags?.join() ?? ""] : [],
    ),
  );
  expect(used.length).toBeGreaterThan(20);
  expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(used)]));
});
