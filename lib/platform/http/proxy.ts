/** Passes requests on to the process that renders pages. */
import { Agent, type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProxyServer } from "httpxy";
import { log } from "#lib/platform/log";
import { onClose } from "#lib/platform/shutdown";
import { answerAway } from "./away.ts";

const answerTimeoutMs = 60_000;
const idleConnectionsMax = 64;
/** Of headers that visitors fill as they like: longer ones are cut, because no page needs them whole. */
const cutHeaders = { "user-agent": 512, referer: 1_024 };

export interface Proxy {
  pass(req: IncomingMessage, res: ServerResponse): void;
  passUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Headers by which a client could pass for a proxy of ours: they are made anew. */
const forwarding = /^(forwarded|x-real-ip|x-forwarded-.*)$/;

/** A proxy to `target`. `addressOf` and `protocol` say what the forwarding headers tell it. */
export function openProxy(
  target: string,
  protocol: string,
  addressOf: (req: IncomingMessage) => string,
): Proxy {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: idleConnectionsMax });
  const server = new ProxyServer({ target, agent, proxyTimeout: answerTimeoutMs });
  server.on("error", (error, req, res) => {
    log.warn({ event: "web.away", error: error.message });
    if (req && res instanceof ServerResponse) answerAway(req, res);
    else if (res instanceof Socket) res.destroy();
  });
  onClose("proxy", () => agent.destroy());

  function forward(req: IncomingMessage): void {
    const address = addressOf(req);
    for (const name of Object.keys(req.headers)) {
      if (forwarding.test(name)) delete req.headers[name];
    }
    // Next.js searches the User-Agent for bots in time that grows with its square: 64 KB took half a minute.
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
      // What concerns only the connection between client and front ends here: Next.js would take the offer of another
      // protocol for a websocket and hang up.
      req.headers.connection = res.shouldKeepAlive ? "keep-alive" : "close";
      delete req.headers.upgrade;
      delete req.headers["http2-settings"];
      server.web(req, res).catch(() => answerAway(req, res));
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
