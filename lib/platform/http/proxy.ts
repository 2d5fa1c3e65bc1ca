/** Forwards requests to the web process. */
import { Agent, type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProxyServer } from "httpxy";
import { log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";
import { sendUnavailable } from "./unavailable.ts";

const answerTimeoutMs = 60_000;
const idleConnectionsMax = 64;
/** Headers with arbitrary content: longer ones are truncated, because no page needs them whole. */
const cutHeaders = { "user-agent": 512, referer: 1_024 };

export interface Proxy {
  pass(req: IncomingMessage, res: ServerResponse): void;
  passUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Headers by which a client could impersonate a proxy: they are replaced. */
const forwardingHeaders = /^(forwarded|x-real-ip|x-forwarded-.*)$/;

/** A proxy to `target`. `addressOf` and `protocol` provide the forwarding headers. */
export function openProxy(
  target: string,
  protocol: string,
  addressOf: (req: IncomingMessage) => string,
): Proxy {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: idleConnectionsMax });
  const server = new ProxyServer({ target, agent, proxyTimeout: answerTimeoutMs });
  server.on("error", (error, req, res) => {
    log.warn({ event: "web.away", error: error.message });
    if (req && res instanceof ServerResponse) sendUnavailable(req, res);
    else if (res instanceof Socket) res.destroy();
  });
  onClose("proxy", () => agent.destroy());

  function forward(req: IncomingMessage): void {
    const address = addressOf(req);
    for (const name of Object.keys(req.headers)) {
      if (forwardingHeaders.test(name)) delete req.headers[name];
    }
    // Next.js searches the User-Agent for bots in quadratic time: 64 KB took half a minute.
    for (const [name, max] of Object.entries(cutHeaders)) {
      const text = req.headers[name];
      if (typeof text === "string" && text.length > max) req.headers[name] = text.slice(0, max);
    }
    req.headers["x-forwarded-for"] = address;
    req.headers["x-forwarded-host"] = req.headers.host;
    req.headers["x-forwarded-proto"] = protocol;
  }

  return {
    pass(req, res) {
      forward(req);
      // Hop-by-hop headers end here: Next.js would treat the offer of another protocol as a websocket and hang up.
      // Without chunks (HTTP/1.0), only the end of the connection marks the end of a page.
      const staysOpen = res.shouldKeepAlive && req.httpVersion !== "1.0";
      req.headers.connection = staysOpen ? "keep-alive" : "close";
      delete req.headers.upgrade;
      delete req.headers["http2-settings"];
      server.web(req, res).catch(() => sendUnavailable(req, res));
    },
    passUpgrade(req, socket, head) {
      forward(req);
      if (!(socket instanceof Socket)) {
        socket.destroy();
        return;
      }
      server.ws(req, socket, {}, head).catch(() => socket.destroy());
    },
  };
}
