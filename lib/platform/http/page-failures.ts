/** If a store is unavailable, answers 503, which clients retry, instead of Next.js's 500. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Next.js bundles have their own modules and share only the global object with this process. */
const hook = Symbol.for("fuxi.page-failed");
const retryAfterSeconds = 2;

type PageFailed = (error: unknown, requestId: string) => void;

export class PageFailures {
  readonly #unavailable = new Set<string>();

  constructor(isUnavailable: (error: unknown) => boolean) {
    const failed: PageFailed = (error, requestId) => {
      if (isUnavailable(error)) this.#unavailable.add(requestId);
    };
    Reflect.set(globalThis, hook, failed);
  }

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
