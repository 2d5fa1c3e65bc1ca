/**
 * The typed client of the REST API. Its types are generated from the OpenAPI document of this version, so a program that
 * calls an operation that does not exist, or reads a field that is not returned, does not compile.
 */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./generated/api.ts";

export type Fuxi = Client<paths>;

export interface FuxiOptions {
  /** Where Fuxi runs, such as `https://links.acme.com`. */
  address: string;
  apiKey: string;
  /** `name/version` of the calling program; the page of the API key shows it. */
  application?: string;
  /** Replaces the global `fetch`, for example to call the API within its own process. */
  fetch?: (request: Request) => Promise<Response>;
}

export function openFuxi({ address, apiKey, application, fetch }: FuxiOptions): Fuxi {
  return createClient<paths>({
    baseUrl: address.replace(/\/+$/, ""),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Prefer: "fuxi=1",
      ...(application && { "X-Fuxi-App": application }),
    },
    // The API reads a list as one value, joined by commas.
    querySerializer: { array: { style: "form", explode: false } },
    ...(fetch && { fetch }),
  });
}
