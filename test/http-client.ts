/**
 * The HTTP client of the tests. It follows no redirect and sends exactly the headers it is given, also a Host of the
 * test's choice, which fetch does not. Bytes that no client would send are for raw-http.ts.
 */
import { type Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Sending {
  method?: string;
  /** Sent as it is, in place of the path of the address: an address is put in order before it is sent. */
  path?: string;
  headers?: Record<string, string>;
  /** A form is sent as one; anything else needs a Content-Type of the caller. */
  body?: string | Uint8Array | URLSearchParams;
  /** Keeps connections, and says how many there may be. Without one each request has a connection of its own. */
  agent?: Agent;
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names and values as they came, a line each. */
  head: string;
  bytes: Buffer;
  text: string;
}

const timeoutMs = 60_000;
const formType = "application/x-www-form-urlencoded;charset=UTF-8";

/** Rejects when no whole answer came, with the code of the connection's error. */
export function send(url: string | URL, sending: Sending = {}): Promise<Answer> {
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
  // biome-ignore lint/suspicious/noExplicitAny: what the server answered is what the tests look at
  body: any;
}

export type ApiCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiAnswer>;

/** Calls the API of a server in JSON, as the holder of a key; without one as nobody. */
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
