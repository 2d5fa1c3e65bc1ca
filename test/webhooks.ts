/** A local program that receives webhooks, and keeps what it got. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedEvent {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  got: ReceivedEvent[];
  /** The status of the response to a request; undefined: takes it and closes the connection. */
  answer: (event: ReceivedEvent) => number | undefined;
  close: () => Promise<void>;
}

export async function startWebhookReceiver(at = 0): Promise<WebhookReceiver> {
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      const event = {
        url: String(req.url),
        headers: req.headers,
        body: Buffer.concat(parts).toString(),
      };
      const status = receiver.answer(event);
      if (status === undefined || status < 300) receiver.got.push(event);
      if (status === undefined) req.socket.destroy();
      else res.writeHead(status).end(`status ${status}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    got: [],
    answer: () => 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
