/**
 * A door in front of a server, for a test that closes it. While it is closed the server is away, as after a crash:
 * connections are cut and new ones are refused. Nobody else who uses the server notices.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { findFreePort } from "../scripts/ports.ts";

export class TestGate {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #target = { host: "", port: 0 };

  /** Opens the door, and returns the address that leads through it. */
  async lead(url: string): Promise<string> {
    const address = new URL(url);
    this.#target = { host: address.hostname, port: Number(address.port) };
    this.#port = await findFreePort();
    await this.open();
    address.host = `127.0.0.1:${this.#port}`;
    return address.href;
  }

  async open(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.#target);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on("error", () => undefined);
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
