/**
 * A TCP proxy in front of a server, for a test that makes the server unavailable for some of its clients. Direct clients
 * of the server are not affected.
 *
 * - closed: connections are cut and new ones refused, as after a crash
 * - stalled: nothing is delivered on existing connections, or on new ones either; nobody learns of it
 * - abandoned: the server has lost its ends of the existing connections, as after a power failure; new ones work
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { findFreePort } from "../scripts/ports.ts";

interface Pair {
  near: Socket;
  far: Socket;
}

export class TcpProxy {
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Set<Pair>();
  #stallsNew = false;
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
      const pair = { near, far: connect(this.#target) };
      this.#pairs.add(pair);
      for (const [one, other] of directions(pair)) {
        this.#sockets.add(one);
        if (!this.#stallsNew) one.pipe(other);
        one.on("error", () => undefined);
        one.on("close", () => {
          this.#sockets.delete(one);
          // Otherwise it is abandoned: its other end never learns that it is closed.
          if (this.#pairs.delete(pair)) other.destroy();
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

  /** Stops forwarding on the existing connections and on new ones. */
  stallAll(): void {
    this.#stallsNew = true;
    this.stall();
  }

  /** Stops forwarding in one direction of the existing connections. */
  hold(held: "requests" | "answers"): void {
    for (const { near, far } of this.#pairs) (held === "requests" ? near : far).unpipe().pause();
  }

  /** Forwards again what has waited since. */
  resume(): void {
    this.#stallsNew = false;
    for (const pair of this.#pairs) {
      // What was not held back must not be forwarded twice.
      for (const [one, other] of directions(pair)) one.unpipe(other).pipe(other);
    }
  }

  /** Closes the ends of the server without telling those of the clients; what they send is thrown away. */
  abandon(): void {
    for (const pair of [...this.#pairs]) {
      this.#pairs.delete(pair);
      pair.near.unpipe().resume();
      pair.far.unpipe().destroy();
    }
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

function directions({ near, far }: Pair): [Socket, Socket][] {
  return [
    [near, far],
    [far, near],
  ];
}
