/** For tests: HTTP written by hand, for requests that no client library would send. */
import { once } from "node:events";
import { connect } from "node:net";

export interface TestSocket {
  write: (text: string) => void;
  /** Everything that came back so far. */
  text: () => string;
  /** Resolves with everything once the other side has hung up. */
  closed: Promise<string>;
  end: () => void;
}

/** `from` is whom the server sees: any address of 127.0.0.0/8 is this machine. */
export async function openTestSocket(port: number, from = "127.0.0.1"): Promise<TestSocket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from, allowHalfOpen: true });
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  // A reset is one way of hanging up.
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => {
    for (const event of ["end", "close"]) socket.once(event, () => resolve(text));
  });
  await once(socket, "connect");
  return {
    write: (more) => void socket.write(more, "latin1"),
    text: () => text,
    closed,
    end: () => socket.destroy(),
  };
}
