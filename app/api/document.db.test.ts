/** The document at /api/openapi.json, checked by a public linter. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openTestStores } from "../../test/stores.ts";

openTestStores({ FUXI_URL: "https://links.fuxi.dev" });

test("a public linter finds nothing in the document, except paths that ids tell apart", async () => {
  const { fetchApi } = await import("./index.ts");
  const response = await fetchApi(new Request("http://localhost/api/openapi.json"), "192.0.2.1");
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: await response.text(), config });
  // "/links/bulk/{id}" and "/links/{id}/qr": no link has the id "bulk".
  const real = problems.filter(({ ruleId }) => ruleId !== "no-ambiguous-paths");
  const found = real.map(({ ruleId, severity, message, location }) => ({
    ruleId,
    severity,
    message,
    at: location[0]?.pointer,
  }));
  expect(found).toEqual([]);
});

test("every operation and parameter is described, and so are the licence and the contact", async () => {
  const { describeApi } = await import("./index.ts");
  const { info, paths = {} } = describeApi();
  expect(info).toMatchObject({
    license: { name: "AGPL-3.0-only" },
    contact: { url: "https://links.fuxi.dev" },
  });
  const bare: string[] = [];
  walk(paths, (part, at) => {
    const { operationId, summary, description, in: place, name, schema } = part;
    if (operationId && (!description || description === summary)) bare.push(at);
    if (place && name && !description && !Object(schema).description) bare.push(at);
  });
  expect(bare).toEqual([]);
});

test("a default has the type of its schema", async () => {
  const { describeApi } = await import("./index.ts");
  const wrong: unknown[] = [];
  walk(describeApi(), ({ type, default: value }, at) => {
    if (typeof type !== "string" || value === undefined) return;
    const kind = Array.isArray(value) ? "array" : typeof value;
    if (kind !== type.replace("integer", "number")) wrong.push([at, type, value]);
  });
  expect(wrong).toEqual([]);
});

/** Visits each object of a document. */
function walk(
  value: unknown,
  visit: (part: Record<string, unknown>, at: string) => void,
  at = "#",
): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit({ ...value }, at);
  for (const [name, part] of Object.entries(value)) walk(part, visit, `${at}/${name}`);
}

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
