/**
 * The typed client of the REST API. Its types are generated from the OpenAPI document of this version, so a program that
 * calls an operation that does not exist, or reads a field that is not returned, does not compile.
 */
import createClient from "openapi-fetch";
import type { paths } from "./generated/api.ts";
import type { Exports, FuxiError as FuxiErrorType } from "./types.ts";

export type { Fuxi } from "./types.ts";

export const openFuxi: Exports["openFuxi"] = ({ address, apiKey, application, fetch }) =>
  createClient<paths>({
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

export const FuxiError: Exports["FuxiError"] = class extends Error implements FuxiErrorType {
  status: number;
  code: FuxiErrorType["code"];
  fields: FuxiErrorType["fields"];
  retryAfterSeconds: number | undefined;

  constructor(status: number, error: unknown, retryAfter: string | null) {
    const { code, message, fields } = Object(Object(error).error);
    super(typeof message === "string" ? message : `The server returned status ${status}.`);
    this.name = "FuxiError";
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }
};

export const dataOf: Exports["dataOf"] = async (asked) => {
  const { data, error, response } = await asked;
  if (response.ok && data !== undefined && data !== null) return data;
  throw new FuxiError(response.status, error, response.headers.get("retry-after"));
};

export const each: Exports["each"] = async function* (load) {
  let after: { startingAfter?: string } = {};
  for (;;) {
    const page = await dataOf(load(after));
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = { startingAfter: last.id };
  }
};
