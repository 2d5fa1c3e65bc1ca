/** Each request has a timeout and holds one block. Failures of network or store are retried. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { log } from "#lib/platform/log";
import { FileStoreUnavailable } from "./store.ts";

export const blockBytes = 8 * 1_048_576;
const requestTimeoutMs = 30_000;
const attemptsMax = 4;
const firstPauseMs = 200;
const textBytesMax = 4 * 1_048_576;
const signedSeconds = 300;

export interface S3Settings {
  FUXI_S3_URL?: string | undefined;
  FUXI_S3_PUBLIC_URL?: string | undefined;
  FUXI_S3_REGION: string;
  FUXI_S3_KEY_ID?: string | undefined;
  FUXI_S3_SECRET?: string | undefined;
}

export interface S3Request {
  method: "GET" | "PUT" | "POST" | "DELETE";
  name: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
  timeoutMs?: number;
}

export interface S3Response {
  status: number;
  headers: Headers;
  body: Buffer;
  code: string;
}

const advice: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "The file store doesn’t know FUXI_S3_KEY_ID.",
  SignatureDoesNotMatch: "FUXI_S3_SECRET doesn’t belong to FUXI_S3_KEY_ID.",
  AccessDenied: "FUXI_S3_KEY_ID needs permission to read, write, list and delete in the bucket.",
  NoSuchBucket: "The bucket in FUXI_S3_URL doesn’t exist. Create it, or correct the URL.",
  RequestTimeTooSkewed: "The clock of this machine differs from that of the file store.",
  PermanentRedirect: "The bucket is in another region. Correct FUXI_S3_URL and FUXI_S3_REGION.",
  AuthorizationHeaderMalformed: "FUXI_S3_REGION isn’t the region of the bucket.",
};

export class S3Requests {
  readonly #client: AwsClient;
  readonly #bucket: string;
  readonly #publicBucket: string | undefined;

  constructor(settings: S3Settings) {
    this.#client = new AwsClient({
      accessKeyId: settings.FUXI_S3_KEY_ID ?? "",
      secretAccessKey: settings.FUXI_S3_SECRET ?? "",
      region: settings.FUXI_S3_REGION,
      service: "s3",
    });
    this.#bucket = withoutSlash(settings.FUXI_S3_URL ?? "");
    const { FUXI_S3_PUBLIC_URL: open } = settings;
    this.#publicBucket = open === undefined ? undefined : withoutSlash(open);
  }

  /** Throws on errors, except those whose codes are expected. */
  async send(request: S3Request, ...expected: string[]): Promise<S3Response> {
    const response = await this.#sendRepeatedly(request);
    if (response.code === "" || expected.includes(response.code)) return response;
    const text = advice[response.code] ?? "The file store refused a request.";
    const { method, name } = request;
    log.error({ event: "files.refused", code: response.code, text, method, name });
    throw new FileStoreUnavailable();
  }

  async sign(name: string, savedAs: string, now: Date): Promise<string | undefined> {
    if (this.#publicBucket === undefined) return undefined;
    const url = new URL(`${this.#publicBucket}/${name}`);
    url.searchParams.set("X-Amz-Expires", String(signedSeconds));
    url.searchParams.set("response-content-disposition", `attachment; filename="${savedAs}"`);
    const datetime = now.toISOString().replace(/[:-]|\.\d{3}/g, "");
    const signed = await this.#client.sign(url, { aws: { signQuery: true, datetime } });
    return signed.url;
  }

  async #sendRepeatedly(request: S3Request): Promise<S3Response> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#sendOnce(request).catch((error: unknown) => reasonOf(error));
      if (typeof outcome !== "string" && !isOutage(outcome.status)) return outcome;
      if (attempt === attemptsMax) {
        const reason = typeof outcome === "string" ? outcome : `status ${outcome.status}`;
        const text = "The file store of FUXI_S3_URL doesn’t answer.";
        log.error({ event: "files.unreachable", reason, text });
        throw new FileStoreUnavailable();
      }
      await pause(firstPauseMs * 2 ** (attempt - 1));
    }
  }

  async #sendOnce(request: S3Request): Promise<S3Response> {
    const { method, name, query = {}, headers = {}, body, timeoutMs = requestTimeoutMs } = request;
    const url = new URL(name === "" ? this.#bucket : `${this.#bucket}/${name}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const signed = await this.#client.sign(url, {
      method,
      headers: { ...headers, "X-Amz-Content-Sha256": hash },
      ...(body ? { body } : {}),
    });
    const response = await fetch(signed, { signal: AbortSignal.timeout(timeoutMs) });
    const bytes = await readBody(response);
    return {
      status: response.status,
      headers: response.headers,
      body: bytes,
      code: codeOf(response.status, bytes),
    };
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

function isOutage(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** Bounded, because a store that ignores the range would send whole files. */
async function readBody(response: Response): Promise<Buffer> {
  const bytesMax = response.status === 206 ? blockBytes : textBytesMax;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`The response is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Completing an upload may fail with status 200. */
function codeOf(status: number, body: Buffer): string {
  const isError = status >= 300 || body.subarray(0, 200).includes("<Error>");
  if (!isError) return "";
  return /<Code>(\w+)<\/Code>/.exec(body.toString("utf8"))?.[1] ?? `status_${status}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return String(cause);
}

/** Enough for a store's XML, which has flat lists of texts with names that Fuxi chose. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(
    ([, inner = ""]) => inner,
  );
}

export function textIn(xml: string, name: string): string {
  const [text = ""] = elementsOf(xml, name);
  return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
