/** Next.js in a process of its own: pages never share the redirect's event loop. */
import type { IncomingMessage } from "node:http";
import { constants, setPriority } from "node:os";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import next from "next";
import { configOrExit } from "#lib/platform/config";
import { PageFailures, passAction, serve } from "#lib/platform/http";
import { onClose, reportReady, superviseProcess } from "#lib/platform/shutdown";
import { isStoreAway, openInstance, storeChecks } from "#lib/platform/startup-checks";

superviseProcess();
// Rendering takes all of a core under load. On a shared machine, redirects have priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const config = configOrExit();
const address = new URL(config.FUXI_WEB_URL);
const root = fileURLToPath(new URL("..", import.meta.url));
const development = config.NODE_ENV === "development";
const app = next({
  dir: root,
  dev: development,
  hostname: address.hostname,
  port: Number(address.port),
});
await openInstance();
await app.prepare();
onClose("next", () => app.close());
const handle = app.getRequestHandler();
const handleUpgrade = app.getUpgradeHandler();
const failures = new PageFailures(isStoreAway);
const onUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) =>
  void handleUpgrade(req, socket, head);
await serve({
  port: Number(address.port),
  host: address.hostname,
  onRequest: (req, res) => {
    failures.watch(req, res);
    void passAction(req, res, (whole) => void handle(whole, res));
  },
  // Only the reload of `next dev` needs a websocket.
  ...(development ? { onUpgrade } : {}),
  checks: storeChecks,
  // Headers of links may be longer, but those of pages are parsed by slow regular expressions.
  limits: { headerBytesMax: 16 * 1024 },
});
reportReady();
