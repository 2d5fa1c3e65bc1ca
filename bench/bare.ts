/** The baseline of the redirect: a node:http server that answers every request with the same 302. */
import { createServer } from "node:http";
import { raisePriority } from "#lib/platform/processes";

// As the redirect.
await raisePriority();

const head = [
  "Location",
  "https://example.com/a/destination/of/usual/length?with=a&few=parameters",
  "Cache-Control",
  "private, no-store",
  "Referrer-Policy",
  "strict-origin-when-cross-origin",
  "Content-Length",
  "0",
];

createServer((_req, res) => {
  res.writeHead(302, head);
  res.end();
}).listen(Number(process.env["PORT"]), "127.0.0.1", () => process.send?.("ready"));

process.on("SIGTERM", () => process.exit(0));
