/** The page shown while the web process is unavailable, rendered by the front. */
import type { IncomingMessage, ServerResponse } from "node:http";

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

/** A page for browsers, a line for programs. */
export function sendUnavailable(req: IncomingMessage, res: ServerResponse): void {
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
