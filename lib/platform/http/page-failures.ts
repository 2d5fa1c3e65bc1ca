/**
 * Pages that fail because a store is unavailable: Next.js answers each failure with 500, and tells `onRequestError` of
 * instrumentation.ts about it before. The page process answers 503 instead, which clients repeat.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Bundles of Next.js have modules of their own: they share only the global object with this process. */
const hook = Symbol.for("fuxi.page-failed");
const retryAfterSeconds = 2;

type PageFailed = (error: unknown, requestId: string) => void;

export class PageFailures {
  readonly #unavailable = new Set<string>();

  /** `isUnavailable`: whether an error means that a store is unavailable. */
  constructor(isUnavailable: (error: unknown) => boolean) {
    const failed: PageFailed = (error, requestId) => {
      if (isUnavailable(error)) this.#unavailable.add(requestId);
    };
    Reflect.set(globalThis, hook, failed);
  }

  /** Turns a 500 for this reason into a 503. */
  watch(req: IncomingMessage, res: ServerResponse): void {
    const requestId = String(req.headers["x-request-id"] ?? "");
    res.once("close", () => this.#unavailable.delete(requestId));
    const writeHead = res.writeHead.bind(res) as (...given: unknown[]) => ServerResponse;
    res.writeHead = (status: number, ...rest: unknown[]) => {
      if (status !== 500 || !this.#unavailable.has(requestId)) return writeHead(status, ...rest);
      res.setHeader("Retry-After", String(retryAfterSeconds));
      // defence: page-503-without-store
      return writeHead(503, ...rest);
    };
  }
}
