/** One line in the log for each request of the dashboard and the API. Visits of links have none: they are counted. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { log } from "#lib/platform/log";

/** Logs a request once it is answered or given up. Without its query, which may hold what is nobody's business. */
export function logRequest(req: IncomingMessage, res: ServerResponse, requestId: string): void {
  const startedAt = performance.now();
  // The token of a share is a key.
  const path = (req.url ?? "").split("?", 1)[0]?.replace(/^\/share\/[^/]+/, "/share/…");
  res.once("close", () => {
    log.info({
      event: "request.done",
      requestId,
      method: req.method,
      path,
      // A client that went away before its answer got none.
      status: res.writableEnded ? res.statusCode : 499,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    });
  });
}
