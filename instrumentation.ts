/** lib/platform/http/page-failures.ts decides; importing it would copy it. */
interface FailedRequest {
  headers: NodeJS.Dict<string | string[]>;
}

export function onRequestError(error: unknown, { headers }: FailedRequest): void {
  const failed: unknown = Reflect.get(globalThis, Symbol.for("fuxi.page-failed"));
  if (typeof failed === "function") failed(error, String(headers["x-request-id"] ?? ""));
}
