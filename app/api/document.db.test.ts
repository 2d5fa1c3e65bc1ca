/** The document at /api/openapi.json, as a public linter and strangers read it. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openTestStores } from "../../scripts/test-stores.ts";

openTestStores({ FUXI_URL: "https://links.fuxi.dev" });

test("a public linter finds no error in the document", async () => {
  const { fetchApi } = await import("./index.ts");
  const response = await fetchApi(new Request("http://localhost/api/openapi.json"), "192.0.2.1");
  // Under which terms the API may be used is for whoever runs an installation to say.
  const config = await createConfig({ extends: ["recommended"], rules: { "info-license": "off" } });
  const problems = await lintFromString({ source: await response.text(), config });
  const found = problems.map(({ ruleId, severity, message, location }) => ({
    ruleId,
    severity,
    message,
    at: location[0]?.pointer,
  }));
  expect(found).toEqual([]);
});
