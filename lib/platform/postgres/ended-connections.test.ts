/** A server that ends a connection in the packet that opens it, as one does that shuts down at that moment. */
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAddress } from "#lib/platform/postgres-addresses";
import { clientOf, Servers } from "./servers.ts";

const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

function ended(): Buffer {
  const fields = "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + length.length);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
}

let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, ended()])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `postgres://fuxi@127.0.0.1:${typeof address === "object" ? address?.port : 0}/fuxi`;
});

afterAll(() => {
  server.close();
});

test("a connection that ends in the packet that opens it fails its query, and not the process", async () => {
  const address = parseAddress(url);
  if (!address) throw new Error(url);
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => uncaught.push(error);
  process.on("uncaughtExceptionMonitor", onUncaught);
  const pool = new pg.Pool({
    connectionString: url,
    Client: clientOf(new Servers(address, false)),
  });
  pool.on("error", () => undefined);
  await expect(pool.query("SELECT 1")).rejects.toThrow();
  const client = await pool.connect();
  await expect(client.query("SELECT 1")).rejects.toThrow();
  client.release();
  await pool.end();
  process.off("uncaughtExceptionMonitor", onUncaught);
  expect(uncaught).toEqual([]);
});
