/** Pages that visitors meet instead of a destination: one small document, no script, no third party. */
import type { IncomingMessage, ServerResponse } from "node:http";

type Language = "en" | "zh";
export type PageName =
  | "missing"
  | "ended"
  | "early"
  | "banned"
  | "unavailable"
  | "refused"
  | "password"
  | "wrongPassword"
  | "tooMany"
  | "people";

interface Words {
  title: string;
  text: string;
}

const words: Record<PageName, Record<Language, Words>> = {
  missing: {
    en: {
      title: "This link does not exist",
      text: "Check that the address was copied in full. It may also have been removed.",
    },
    zh: { title: "链接不存在", text: "请检查网址是否复制完整，链接也可能已被删除。" },
  },
  ended: {
    en: { title: "This link has ended", text: "Whoever made it set an end, and that has come." },
    zh: { title: "链接已失效", text: "创建者设置的有效期已过。" },
  },
  early: {
    en: { title: "This link is not open yet", text: "Come back later: it opens at a set time." },
    zh: { title: "链接尚未生效", text: "链接将在设定的时间开放，请稍后再来。" },
  },
  banned: {
    en: { title: "This link was blocked", text: "It broke the rules of this service." },
    zh: { title: "链接已被封禁", text: "该链接违反了本服务的使用规则。" },
  },
  unavailable: {
    en: { title: "One moment, please", text: "The service is briefly unavailable. Try again." },
    zh: { title: "请稍候", text: "服务暂时不可用，请稍后重试。" },
  },
  refused: {
    en: { title: "This method is not allowed", text: "A short link is opened with GET." },
    zh: { title: "不支持该请求方法", text: "短链接只能通过 GET 打开。" },
  },
  password: {
    en: { title: "This link has a password", text: "Whoever sent it to you can tell it to you." },
    zh: { title: "该链接需要密码", text: "请向发送者索取密码。" },
  },
  wrongPassword: {
    en: { title: "That is not the password", text: "Check it and try again." },
    zh: { title: "密码不正确", text: "请核对后重试。" },
  },
  tooMany: {
    en: { title: "Too many attempts", text: "Wait a while before you try again." },
    zh: { title: "尝试次数过多", text: "请稍后再试。" },
  },
  people: {
    en: { title: "This link opens for people only", text: "Open it in a browser." },
    zh: { title: "该链接仅供访客打开", text: "请在浏览器中打开。" },
  },
};

const formWords: Record<Language, { label: string; button: string }> = {
  en: { label: "Password", button: "Continue" },
  zh: { label: "密码", button: "继续" },
};
const pagesWithForm = new Set<PageName>(["password", "wrongPassword"]);

/** Sends the password to the address that it was asked at. */
function formOf(name: PageName, language: Language): string {
  if (!pagesWithForm.has(name)) return "";
  const { label, button } = formWords[language];
  const invalid = name === "wrongPassword" ? ' aria-invalid="true" aria-describedby="text"' : "";
  return (
    `<form method="post"><label for="password">${label}</label>` +
    `<input id="password" name="password" type="password" required autofocus maxlength="200"` +
    ` autocomplete="off"${invalid}><button>${button}</button></form>`
  );
}

const style = `
:root{color-scheme:light dark;--text:#171717;--quiet:#6b6b6b;--ground:#fff}
@media(prefers-color-scheme:dark){:root{--text:#ededed;--quiet:#a1a1a1;--ground:#0a0a0a}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--ground);color:var(--text);
font:16px/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
main{padding:24px;max-width:32rem;text-align:center}
h1{font-size:20px;font-weight:600;margin:0 0 8px}p{margin:0;color:var(--quiet)}
form{display:grid;gap:8px;margin-top:24px;text-align:start}label{font-size:14px}
input,button{font:inherit;padding:8px 12px;border:1px solid var(--quiet);border-radius:8px;background:var(--ground);
color:var(--text)}button{background:var(--text);color:var(--ground);border-color:var(--text);cursor:pointer}`;

const made = new Map<string, Buffer>();

/** The page in the visitor's language, made once. */
export function visitorPage(name: PageName, acceptLanguage: string | undefined): Buffer {
  const language: Language = /^\s*zh\b/i.test(acceptLanguage ?? "") ? "zh" : "en";
  const id = `${name} ${language}`;
  let page = made.get(id);
  if (!page) {
    const { title, text } = words[name][language];
    page = Buffer.from(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width,initial-scale=1">` +
        `<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>` +
        `<body><main><h1>${title}</h1><p id="text">${text}</p>${formOf(name, language)}</main></body></html>`,
    );
    made.set(id, page);
  }
  return page;
}

/** Answers with a page. `more` are header lines of this answer alone. */
export function sendPage(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  name: PageName,
  more: string[] = [],
): void {
  const page = visitorPage(name, req.headers["accept-language"]);
  // Some browsers hold a form's policy against what its answer redirects to, so every web address must be allowed.
  const forms = pagesWithForm.has(name) ? "'self' https: http:" : "'none'";
  res.writeHead(status, [
    "Content-Type",
    "text/html; charset=utf-8",
    "Content-Length",
    String(page.length),
    "Cache-Control",
    "no-store",
    "Content-Security-Policy",
    `default-src 'none'; style-src 'unsafe-inline'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    "X-Content-Type-Options",
    "nosniff",
    "X-Robots-Tag",
    "noindex",
    "Vary",
    "Accept-Language",
    ...more,
  ]);
  res.end(req.method === "HEAD" ? undefined : page);
}
