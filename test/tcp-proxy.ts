/**
 * A TCP proxy in front of a server, for a test that makes the server unavailable for some of its clients: while it is
 * closed, connections are cut and new ones refused, as after a crash; while it stalls, data is neither refused nor
 * delivered. Direct clients of the server are not affected.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { findFreePort } from "../scripts/ports.ts";

export class TcpProxy {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #target = { host: "", port: 0 };

  /** Opens the proxy, and returns the URL of the server through it. */
  async open(url: string): Promise<string> {
    const address = new URL(url);
    this.#target = { host: address.hostname, port: Number(address.port) };
    this.#port = await findFreePort();
    await this.reopen();
    address.host = `127.0.0.1:${this.#port}`;
    return address.href;
  }

  /** Opens it again on the same port. */
  async reopen(): Promise<void> {
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

  /** Stops forwarding on the existing connections. */
  stall(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
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
