/**
 * Next.js calls this for each failure, before it answers. lib/platform/http/page-failures.ts decides what it means: nothing
 * is imported here, because the bundle of this file would have its own copy.
 */
interface FailedRequest {
  headers: NodeJS.Dict<string | string[]>;
}

export function onRequestError(error: unknown, { headers }: FailedRequest): void {
  const failed: unknown = Reflect.get(globalThis, Symbol.for("fuxi.page-failed"));
  if (typeof failed === "function") failed(error, String(headers["x-request-id"] ?? ""));
}
