/// <reference types="chrome" />
/** Calls of the API, and what to tell people when one fails. */
import { type Fuxi, openFuxi } from "../sdk/index.ts";
import type { Connection } from "./storage.ts";
import { text } from "./texts.ts";

const timeoutMs = 20_000;

export type Outcome<Data> = { ok: true; data: Data } | { ok: false; message: string };

export function openApi({ server, apiKey }: Pick<Connection, "server" | "apiKey">): Fuxi {
  return openFuxi({
    address: server,
    apiKey,
    application: `fuxi-extension/${chrome.runtime.getManifest().version}`,
    fetch: (request) =>
      fetch(request, {
        signal: AbortSignal.timeout(timeoutMs),
        // A redirect to another host would take the key along.
        redirect: "error",
        // Only the key counts, even if someone is signed in to the dashboard.
        credentials: "omit",
      }),
  });
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the answer of a call, or a sentence that says what to change. */
export async function ask<Data>(
  server: string,
  call: Promise<Answered<Data>>,
): Promise<Outcome<NonNullable<Data>>> {
  const host = new URL(server).host;
  const answered = await call.catch((cause: unknown) => cause);
  if (!isAnswer<Data>(answered)) {
    const isOther = answered instanceof SyntaxError;
    return { ok: false, message: text(isOther ? "notFuxi" : "unreachable", host) };
  }
  const { data, error, response } = answered;
  if (response.ok && data !== undefined && data !== null && typeof data === "object") {
    return { ok: true, data };
  }
  return { ok: false, message: refusalOf(response.status, error, host) };
}

function isAnswer<Data>(value: unknown): value is Answered<Data> {
  return value instanceof Object && "response" in value && value.response instanceof Response;
}

function refusalOf(status: number, error: unknown, host: string): string {
  const { code, message } = Object(Object(error).error);
  if (typeof code !== "string" || typeof message !== "string") return text("notFuxi", host);
  if (status === 401) return text("keyRefused");
  if (status === 409) return text("slugTaken");
  if (status === 429) return text("tooMany");
  if (status >= 500) return text("serverFailed");
  return text("refused", message);
}
