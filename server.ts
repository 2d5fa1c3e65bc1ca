/**
 * The only public port: redirects, then the API, then pages. A fixed list of first path segments
 * separates the dashboard from short links.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { isReservedSegment } from "#lib/platform/codes";
import { configOrExit } from "#lib/platform/config";
import { checkFiles } from "#lib/platform/files";
import {
  addressOf,
  logRequest,
  openProxy,
  PageGate,
  serve,
  serveLocally,
  setDashboardHeaders,
} from "#lib/platform/http";
import { openInstance, storeChecks } from "#lib/platform/instance";
import { openParsers } from "#lib/platform/parsers";
import {
  hasPriorities,
  raisePriority,
  reportReady,
  superviseProcess,
} from "#lib/platform/processes";
import { canonicalHost } from "#lib/redirect/requests";
import {
  answerCertificate,
  answerLocalCertificate,
  openRedirect,
  visit,
  visitCached,
} from "#lib/redirect/visits";
import { handleApi, isUpload } from "./app/api/index.ts";
import { answerTrustPage } from "./app/trust/index.ts";

superviseProcess();
const config = configOrExit();
if (hasPriorities()) await raisePriority();
const dashboardUrl = new URL(config.FUXI_URL);
const dashboardHost = canonicalHost(dashboardUrl.host);
const sharedOrigin =
  config.FUXI_SHORT_HOST === undefined || config.FUXI_SHORT_HOST === dashboardHost;
const security = {
  secure: dashboardUrl.protocol === "https:",
  development: config.NODE_ENV === "development",
};
const proxy = openProxy(config.FUXI_WEB_URL, dashboardUrl.protocol.slice(0, -1), addressOf);

const pageGate = new PageGate();

/** For requests that no cached link answers. */
function areaOf(req: IncomingMessage): "link" | "api" | "page" {
  if (canonicalHost(req.headers.host ?? "") !== dashboardHost) return "link";
  const [, segment = ""] = (req.url ?? "/").split(/[/?]/, 2);
  if (segment === "api") return req.url?.startsWith("/api/auth/") ? "page" : "api";
  if (!sharedOrigin || segment === "" || isReservedSegment(segment)) return "page";
  return "link";
}

function onRequest(req: IncomingMessage, res: ServerResponse): void {
  if (visitCached(req, res) || answerCertificate(req, res)) return;
  const area = areaOf(req);
  if (area === "link") {
    void visit(req, res);
    return;
  }
  if (area === "api") {
    handleApi(req, res);
    return;
  }
  if (answerTrustPage(req, res)) return;
  const requestId = newId("req");
  req.headers["x-request-id"] = requestId;
  res.setHeader("X-Request-Id", requestId);
  if (!req.url?.startsWith("/_next/")) logRequest(req, res, requestId);
  setDashboardHeaders(req, res, security);
  pageGate.pass(req, res, addressOf(req), () => proxy.pass(req, res));
}

await openInstance();
await openRedirect();
await openLinks();
void checkFiles();
openParsers({ warm: 1 });
const checks = {
  ...storeChecks,
  web: async () => fetch(`${config.FUXI_WEB_URL}/healthz`, { method: "HEAD" }),
};
await serve({
  port: config.PORT,
  host: config.HOST,
  leaveSeconds: config.FUXI_DRAIN_SECONDS,
  onRequest,
  isLong: isUpload,
  // Only `next dev` needs a websocket.
  ...(security.development ? { onUpgrade: proxy.passUpgrade } : {}),
  checks,
});
await serveLocally({ port: config.FUXI_LOCAL_PORT, onRequest: answerLocalCertificate, checks });
reportReady();
