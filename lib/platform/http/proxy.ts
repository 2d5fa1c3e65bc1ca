/** Forwards requests to the web process. */
import { Agent, type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProxyServer } from "httpxy";
import { log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";

const answerTimeoutMs = 60_000;
const idleConnectionsMax = 64;
/** Visitors cannot choose these headers, and no page needs them whole: longer ones are cut. */
const cutHeaders = { "user-agent": 512, referer: 1_024 };

export interface Proxy {
  pass(req: IncomingMessage, res: ServerResponse): void;
  passUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A client could impersonate a proxy with these headers, so they are replaced. */
const forwardingHeaders = /^(forwarded|x-real-ip|x-forwarded-.*)$/;

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
      // Next.js would take an offered protocol for a websocket and hang up.
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

const retryAfterSeconds = 2;

const texts = {
  en: {
    lang: "en",
    title: "Fuxi is restarting",
    text: "This takes a few seconds. Your data is safe, and short links keep working.",
    again: "Try again",
  },
  "zh-CN": {
    lang: "zh-CN",
    title: "Fuxi 正在重启",
    text: "请稍等几秒。数据不会丢失，短链接照常可用。",
    again: "重试",
  },
};

const style =
  ":root{color-scheme:light dark;--ink:light-dark(#1c1c1c,#eee);--muted:light-dark(#5a5a5a,#a8a8a8)}" +
  "body{margin:0;min-height:100dvh;display:grid;place-items:center;background:light-dark(#fff,#111);color:var(--ink);" +
  "font:14px/1.6 system-ui,-apple-system,'PingFang SC','Microsoft YaHei',sans-serif}" +
  "main{padding:24px;max-width:28rem;text-align:center}h1{font-size:16px;margin:0 0 8px}" +
  "p{margin:0 0 24px;color:var(--muted)}a{display:inline-block;padding:8px 16px;border-radius:6px;" +
  "background:var(--ink);color:light-dark(#fff,#111);text-decoration:none}";

function pageOf({ lang, title, text, again }: (typeof texts)["en"]): string {
  return (
    `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${style}</style>` +
    `<main><h1>${title}</h1><p>${text}</p><a href="">${again}</a></main></html>\n`
  );
}

/** The response while the web process is unavailable: a page for browsers, a line for programs. */
function sendUnavailable(req: IncomingMessage, res: ServerResponse): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const page = req.headers.accept?.includes("text/html") ?? false;
  const chinese = /^\s*zh\b/i.test(req.headers["accept-language"] ?? "");
  const text = texts[chinese ? "zh-CN" : "en"];
  res.writeHead(503, {
    "Content-Type": `text/${page ? "html" : "plain"}; charset=utf-8`,
    "Cache-Control": "no-store",
    "Retry-After": String(retryAfterSeconds),
  });
  res.end(page ? pageOf(text) : `${text.title}. ${text.text}\n`);
}
