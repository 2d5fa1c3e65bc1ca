/** Serves the route of bench/next, built in the folder NEXT_DIR. */
import { createServer } from "node:http";
import next from "next";

const app = next({ dir: process.env["NEXT_DIR"] ?? "", dev: false });
await app.prepare();
const handle = app.getRequestHandler();
createServer((req, res) => void handle(req, res)).listen(
  Number(process.env["PORT"]),
  "127.0.0.1",
  () => process.send?.("ready"),
);

process.on("SIGTERM", () => process.exit(0));
