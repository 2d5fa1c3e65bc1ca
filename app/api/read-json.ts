import { AppError, invalidRequest } from "#lib/platform/errors";
import { notJson } from "./errors.ts";
import type { ApiContext } from "./router.ts";

const jsonType = /^application\/([a-z-.]+\+)?json\b/i;

export async function readJson(c: ApiContext): Promise<unknown> {
  if (!isJsonType(c.req.header("content-type"))) throw notJson();
  try {
    return await c.req.json();
  } catch {
    throw invalidJson();
  }
}

export function isJsonType(contentType: string | undefined): boolean {
  return jsonType.test(contentType ?? "");
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}

function invalidJson(): AppError {
  return new AppError("bad_request", "The request body isn’t valid JSON.");
}

interface ParseResult<T> {
  success: boolean;
  data?: T | undefined;
  error?: {
    issues: readonly { code?: string | undefined; message: string; path: PropertyKey[] }[];
  };
}

/** The value of a parse result, or a 422 with the reason. */
export function valueOrThrow<T>(parsed: ParseResult<T>): T {
  if (parsed.success && parsed.data !== undefined) return parsed.data;
  throw invalidRequest(parsed.error?.issues ?? []);
}
