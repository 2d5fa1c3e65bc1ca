/** For tests of the API in this process: callers with an API key, or with a dashboard session. */
import { encode } from "next-auth/jwt";
import { createApiKey } from "#lib/identity/api-keys";
import { beginSession } from "#lib/identity/sessions";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { fetchApi } from "../app/api/index.ts";

const origin = "http://localhost:3000";
export interface Call {
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** A raw body, instead of one that is serialized as JSON. */
  text?: string;
  /** The content type of the body; omitted: JSON. */
  type?: string;
  /** The header Prefer. */
  prefer?: string;
}

export interface CallAnswer {
  status: number;
  text: string;
  headers: Headers;
}

/** Sends calls with the given headers. */
export function callerWith(headers: Record<string, string>) {
  return async ({ method, path, query: queryValues, body, ...raw }: Call): Promise<CallAnswer> => {
    const search = queryValues === undefined ? "" : `?${new URLSearchParams(queryValues)}`;
    const text = body === undefined ? raw.text : JSON.stringify(body);
    const request = new Request(`${origin}${path}${search}`, {
      method,
      headers: {
        ...headers,
        ...(raw.prefer === undefined ? {} : { Prefer: raw.prefer }),
        ...(text === undefined
          ? {}
          : {
              "Content-Type": raw.type ?? "application/json",
              "Content-Length": `${Buffer.byteLength(text)}`,
            }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const response = await fetchApi(request, "203.0.113.7");
    const { status, headers: answered } = response;
    return { status, text: await response.text(), headers: answered };
  };
}

export type Caller = ReturnType<typeof callerWith>;

/** Calls with a new key of a workspace. */
export async function keyCaller(scope: WorkspaceScope, scopes?: string[]): Promise<Caller> {
  const { key } = await createApiKey(scope, { name: "Test", ...(scopes ? { scopes } : {}) });
  return callerWith({ Authorization: `Bearer ${key}` });
}

/** Calls with a dashboard session of the scope's person. */
export async function personCaller(scope: WorkspaceScope): Promise<Caller> {
  const cookie = await cookieOf(scope);
  return callerWith({ Cookie: cookie, Origin: origin, "X-Fuxi-Workspace": scope.slug });
}

/** The cookie of a new dashboard session of the scope's person. */
export async function cookieOf(scope: WorkspaceScope): Promise<string> {
  const sid = await beginSession(String(scope.userId), "", ["password"]);
  const secret = String(process.env["FUXI_SESSION_SECRET"]);
  return `fuxi-session=${await encode({ token: { sid }, secret })}`;
}
