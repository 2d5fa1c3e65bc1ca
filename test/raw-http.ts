/** HTTP written byte by byte, for requests that no client would send, and for the bytes between two of them. */
import { once } from "node:events";
import { connect } from "node:net";

export interface TestSocket {
  write: (text: string) => void;
  /** Everything received so far. */
  text: () => string;
  /** Resolves with everything once the server has closed the connection. */
  closed: Promise<string>;
  end: () => void;
}

/** `from` is the client address: any address of 127.0.0.0/8 is this machine. */
export async function openTestSocket(port: number, from = "127.0.0.1"): Promise<TestSocket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from, allowHalfOpen: true });
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  // A reset is one way of closing.
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

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RawRequest {
  method?: string;
  version?: string;
  /** Undefined: no Host is sent. */
  host?: string | undefined;
  headers?: string[];
  body?: string;
}

/** Sends a raw request to a server, from an address of this machine, and reads until the connection ends. */
export async function sendRaw(
  server: URL,
  from: string,
  target: string,
  request: RawRequest = {},
): Promise<RawAnswer> {
  const { method = "GET", version = "1.1", headers = [], body = "" } = request;
  const host = "host" in request ? request.host : server.host;
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...(headers.some((line) => line.startsWith("Connection:")) ? [] : ["Connection: close"]),
    ...headers,
  ];
  const socket = await openTestSocket(Number(server.port), from);
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const text = await socket.closed;
  socket.end();
  return parse(text);
}

function parse(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const pairs = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(pairs),
    body: Buffer.from(text.slice(end + 4), "latin1").toString(),
  };
}
