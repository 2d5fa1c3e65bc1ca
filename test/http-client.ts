/**
 * The HTTP client of the tests. It follows no redirect and sends exactly the given headers, including Host, which fetch
 * does not allow. raw-http.ts sends bytes that no client would send.
 */
import { type Agent, type IncomingHttpHeaders, request } from "node:http";

export interface SendOptions {
  method?: string;
  /** Sent unchanged, in place of the path of the URL: a URL is normalized before it is sent. */
  path?: string;
  headers?: Record<string, string>;
  /** A form is sent as one; anything else needs a Content-Type of the caller. */
  body?: string | Uint8Array | URLSearchParams;
  /** Keeps connections, and limits their number. Without one each request has its own connection. */
  agent?: Agent;
  timeoutMs?: number;
  /** The loopback address that it comes from: limits count each for itself. */
  from?: string;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names and values as received, a line each. */
  head: string;
  bytes: Buffer;
  text: string;
}

const timeoutMs = 60_000;
const formType = "application/x-www-form-urlencoded;charset=UTF-8";

/** Rejects without a complete response, with the code of the connection's error. */
export function send(url: string | URL, sending: SendOptions = {}): Promise<HttpAnswer> {
  const { method = "GET", path, headers = {}, body, agent = false } = sending;
  const isForm = body instanceof URLSearchParams;
  const bytes = body === undefined ? undefined : Buffer.from(isForm ? body.toString() : body);
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), {
      method,
      headers: {
        ...(isForm ? { "Content-Type": formType } : {}),
        ...(bytes ? { "Content-Length": String(bytes.length) } : {}),
        ...headers,
      },
      signal: AbortSignal.timeout(sending.timeoutMs ?? timeoutMs),
      agent,
      ...(path === undefined ? {} : { path }),
      ...(sending.from === undefined ? {} : { localAddress: sending.from }),
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const whole = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          head: response.rawHeaders.join("\n"),
          bytes: whole,
          text: whole.toString(),
        });
      });
    });
    sent.end(bytes);
  });
}

export interface ApiAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  body: any;
}

export type ApiCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiAnswer>;

/** Calls the API of a server in JSON, with a key or without one. */
export function openApi(serverUrl: string | URL, key?: string): ApiCall {
  return async (method, path, body, headers = {}) => {
    const answer = await send(new URL(`/api${path}`, serverUrl), {
      method,
      headers: {
        ...(key ? { Authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) };
  };
}
