/** For tests of the API in this process: its OpenAPI document. */
import { fetchApi } from "../app/api/index.ts";
import type { ApiDocument } from "./api-operations.ts";

export async function readDocument(): Promise<ApiDocument> {
  const response = await fetchApi(
    new Request(`http://localhost:3000/api/openapi.json`),
    "203.0.113.7",
  );
  return await response.json();
}
