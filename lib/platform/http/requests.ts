/** One log line per request of the dashboard and the API. Visits of links have none: they are counted. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestLog } from "#lib/platform/log";

/** Logs a request once it is answered or aborted. Without its query, which may contain private data. */
export function logRequest(req: IncomingMessage, res: ServerResponse, requestId: string): void {
  const startedAt = performance.now();
  // The tokens of shares and of gateways are secret.
  const path = (req.url ?? "")
    .split("?", 1)[0]
    ?.replace(/^(\/share|\/api\/campaigns\/receipts)\/[^/]+/, "$1/…");
  res.once("close", () => {
    requestLog.info({
      event: "request.done",
      requestId,
      method: req.method,
      path,
      // A client that disconnected before its response.
      status: res.writableEnded ? res.statusCode : 499,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    });
  });
}
