/** The types of app/sdk, generated from the OpenAPI document. They are written only when they change. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import openapiTs, { astToString } from "openapi-typescript";
import { describeOperations } from "../app/api/index.ts";

const file = "app/sdk/generated/api.ts";
const methods = ["get", "post", "put", "patch", "delete"] as const;
const failureMin = 400;

export async function generateTypedClient(): Promise<void> {
  const text = astToString(await openapiTs(JSON.stringify(withSharedFailures())));
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The document with each failure once, instead of in every operation: half of the lines. */
function withSharedFailures() {
  const { paths = {}, components, ...document } = describeOperations();
  const shared: Record<string, unknown> = {};
  for (const operation of Object.values(paths).flatMap((path) => methods.map((one) => path[one]))) {
    for (const [status, response] of Object.entries(operation?.responses ?? {})) {
      if (!operation?.responses || Number(status) < failureMin) continue;
      shared[status] = response;
      operation.responses[status] = { $ref: `#/components/responses/${status}` };
    }
  }
  return { ...document, paths, components: { ...components, responses: shared } };
}
