/**
 * What the client exports, as types only: the package that an instance serves has this file as its declarations.
 */
import type { Client } from "openapi-fetch";
import type { components, paths } from "./generated/api.ts";

export type { components, paths } from "./generated/api.ts";

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

type ErrorBody = components["schemas"]["Error"]["error"];

/** A refused call. The message says how to correct it. */
export interface FuxiError extends Error {
  status: number;
  /** Undefined if something else than Fuxi has answered, such as a proxy. */
  code: ErrorBody["code"] | undefined;
  /** Why each invalid field is invalid, by its path. */
  fields: ErrorBody["fields"];
  /** When to try again, after a 429 or 503. */
  retryAfterSeconds: number | undefined;
}

/** What a call returns. */
export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export interface Exports {
  openFuxi: (options: FuxiOptions) => Fuxi;
  FuxiError: new (status: number, error: unknown, retryAfter: string | null) => FuxiError;
  /** Returns the data of a call, or throws a FuxiError. */
  dataOf: <Data>(asked: Promise<Answer<Data>>) => Promise<NonNullable<Data>>;
  /** Every object of a list, page by page. `load` gets the id of the last one, for `startingAfter`. */
  each: <Item extends { id: string }>(
    load: (after: { startingAfter?: string }) => Promise<Answer<Item[]>>,
  ) => AsyncGenerator<Item, void, undefined>;
}
