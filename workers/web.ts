/** Next.js in its own process: pages never share the redirect's event loop. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { constants as zlib } from "node:zlib";
import compression from "compression";
import next from "next";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { allowLongTimeouts } from "#lib/basics/bounds";
import { configOrExit, setNextConfig } from "#lib/platform/config";
import { PageFailures, passAction, serve } from "#lib/platform/http";
import { isStoreAway, openInstance, storeChecks } from "#lib/platform/instance";
import { delayScripts, KeptPages, openPageFiles } from "#lib/platform/pages";
import { openParsers } from "#lib/platform/parsers";
import {
  hasPriorities,
  lowerPriority,
  nameSourceLines,
  onClose,
  reportReady,
  superviseProcess,
} from "#lib/platform/processes";

/** The types of `compression` require Express, but the middleware does not. */
type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

superviseProcess();
const config = configOrExit();
// Rendering takes a whole core under load. On a shared machine, redirects have priority.
if (hasPriorities()) await lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
allowLongTimeouts();
const address = new URL(config.FUXI_WEB_URL);
const root = fileURLToPath(new URL(import.meta.isCompiled ? "../.." : "..", import.meta.url));
const development = config.NODE_ENV === "development";
if (!development) setNextConfig(readBuiltConfig());
openParsers({ warm: 0 });
const app = next({
  dir: root,
  dev: development,
  hostname: address.hostname,
  port: Number(address.port),
});
await Promise.all([openInstance(), app.prepare()]);
// Called again, because Next.js has replaced it and makes Node read source maps.
if (import.meta.isCompiled) nameSourceLines();
onClose("next", () => app.close());
const handle = app.getRequestHandler();
const handleUpgrade = app.getUpgradeHandler();
const failures = new PageFailures(isStoreAway);
// Uses Brotli, because lists of links repeat themselves over more than the 32 KB window of gzip.
const compress = compression({
  brotli: { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } },
}) as unknown as Middleware;
const keptPages = new KeptPages();
const sendPageFile = development
  ? () => false
  : openPageFiles(join(root, ".next", "static", "chunks"), "/_next/static/chunks/");
const onUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) =>
  void handleUpgrade(req, socket, head);
await serve({
  port: Number(address.port),
  host: address.hostname,
  leaveSeconds: config.FUXI_DRAIN_SECONDS,
  onRequest: (req, res) => {
    if (sendPageFile(req, res)) return;
    if (!hasReadableState(req)) {
      res.writeHead(400, { "Content-Type": "text/plain; charset=utf-8" });
      res.end("Next-Router-State-Tree could not be read. Reload the page.\n");
      return;
    }
    failures.watch(req, res);
    compress(req, res, () => {
      if (!development) {
        if (keptPages.answer(req, res)) return;
        delayScripts(req, res);
      }
      void passAction(req, res, (whole) => void handle(whole, res));
    });
  },
  // Only `next dev` needs a websocket.
  ...(development ? { onUpgrade } : {}),
  checks: storeChecks,
  // The headers of pages are parsed by slow regular expressions.
  limits: { headerBytesMax: 16 * 1024 },
});
reportReady();

function readBuiltConfig(): string {
  const file = join(root, ".next", "required-server-files.json");
  const { config: built }: { config: unknown } = JSON.parse(readFileSync(file, "utf8"));
  return JSON.stringify(built);
}

/** Next.js responds with 500 to a router state that it cannot parse. */
function hasReadableState({ headers }: IncomingMessage): boolean {
  try {
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
    return true;
  } catch {
    return false;
  }
}
