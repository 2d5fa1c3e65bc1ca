/** What visitor pages share. They load nothing from third parties, and need no script. */
import { createHash } from "node:crypto";
import { config } from "#lib/platform/config";
import type { CompiledBranding } from "./branding.ts";
import { type Sign, signHtml } from "./signs.ts";

export type Language = "en" | "zh";

/** The supported language that a visitor prefers: `de,zh-Hant;q=0.8,en;q=0.5` → `zh`. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: Language = "en";
  let bestQuality = 0;
  for (const range of (acceptLanguage ?? "").split(",", rangesMax)) {
    const [, tag = "", quality = "1"] = rangePattern.exec(range) ?? [];
    const language = tag.toLowerCase();
    if (language !== "en" && language !== "zh") continue;
    if (Number(quality) <= bestQuality) continue;
    best = language;
    bestQuality = Number(quality);
  }
  return best;
}

const rangesMax = 20;
const rangePattern = /^\s*([a-z]{2,3})(?:-[a-z0-9-]*)?\s*(?:;\s*q=(0(?:\.\d*)?|1(?:\.0*)?)\s*)?$/i;

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");
}

// Invisible characters that may change how the rest looks: direction marks, fillers and so on.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u2028\u2029\u2800\u3164\uffa0]/gu;

export function visibleText(text: string): string {
  return text.replace(/\s+/g, " ").replace(invisible, "").trim();
}

/** The cards of both themes, on which the color of a workspace has to be readable. */
export const cards = { light: "#ffffff", dark: "#18181b" };

const style = `
:root{color-scheme:light dark;--text:#18181b;--quiet:#52525b;--line:#e4e4e7;--edge:#85858f;--ground:#f4f4f5;--card:${cards.light};
--fill:#18181b;--ink:#fff;--link:#1d4ed8;--focus:#2563eb;--wrong:#b42318}
@media(prefers-color-scheme:dark){:root{--text:#fafafa;--quiet:#a8a8b0;--line:#303036;--edge:#7b7b85;--ground:#0b0b0d;
--card:${cards.dark};--fill:#fafafa;--ink:#18181b;--link:#93c5fd;--focus:#60a5fa;--wrong:#ff9d94}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-rows:1fr auto;justify-items:center;background:var(--ground);
color:var(--text);font:16px/1.6 system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei",sans-serif}
main{align-self:center;width:calc(100% - 32px);max-width:27rem;margin:24px 16px;padding:32px;text-align:center;overflow-wrap:anywhere;
background:var(--card);border:1px solid var(--line);border-radius:16px;box-shadow:0 1px 2px #0000000a,0 8px 24px #0000000f}
@media(max-width:30rem){main{padding:24px 20px}}
h1{font-size:22px;line-height:1.3;letter-spacing:-.01em;font-weight:650;margin:0 0 8px;text-wrap:balance}
:lang(zh) h1{letter-spacing:0}
p{margin:0;color:var(--quiet);text-wrap:pretty}a{color:var(--link);text-underline-offset:3px}
h1+p{text-wrap:balance}.ways>p:empty{margin-top:-8px}.sign,.logo{margin:0 auto 16px}.sign{display:grid;place-items:center;width:56px;height:56px;border-radius:50%;background:var(--ground);color:var(--text)}
.sign svg{width:26px;height:26px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.sign.alert{color:var(--wrong)}
form,.ways{display:grid;gap:8px;margin-top:24px;text-align:start}label,legend{font-size:14px;font-weight:550}
input,select,textarea,button,.button{font:inherit;min-height:46px;padding:9px 14px;border:1px solid var(--edge);border-radius:10px;
background:var(--card);color:var(--text);width:100%}
button,.button{background:var(--fill);color:var(--ink);border-color:var(--fill);cursor:pointer;text-align:center;font-weight:600;
text-decoration:none}form>button:first-of-type{margin-top:8px}
.other{background:none;color:var(--text);border-color:var(--edge)}
:is(button,.button):hover{box-shadow:0 0 0 3px var(--line)}
[aria-invalid]{border-color:var(--wrong)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
dl{margin:20px 0 0;text-align:start;border:1px solid var(--line);border-radius:12px;padding:4px 16px}
dt{font-size:14px;color:var(--quiet);margin-top:12px}dd{margin:0 0 12px}
.host{font-size:18px;font-weight:600;color:var(--text)}.address{font-size:14px;color:var(--quiet)}
.note{margin-top:16px;font-size:14px;text-align:start}
footer{display:flex;flex-wrap:wrap;gap:4px 20px;justify-content:center;padding:0 16px 24px;font-size:14px}
footer:empty{display:none}footer a{color:var(--quiet)}
.arrow{position:fixed;right:12px;pointer-events:none;width:132px;height:124px;fill:none;stroke:var(--text);stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
.arrow .dots{stroke-width:8}.arrow.top{top:8px}.arrow.bottom{bottom:8px;transform:scaleY(-1)}
.arrow.top~main{margin-top:140px}.arrow.bottom~main{margin-bottom:140px}
.box{display:grid;grid-template-columns:24px 1fr;gap:8px;padding:4px 0;font-weight:400}.box input{min-height:24px;margin:0;accent-color:var(--link)}
fieldset{border:0;margin:0;padding:0}legend{padding:0}.quiet{color:var(--quiet);font-weight:400}
p.alert{margin-top:16px;color:var(--text);font-weight:600}.problem{font-size:14px;color:var(--wrong)}
.away{position:absolute;left:-9999px}
.framed,.framed iframe{display:block;width:100%;height:100vh;height:100dvh;border:0;padding:0;max-width:none}
.framed{margin:0;border-radius:0;overflow:hidden}`;
const styleSource = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;

export interface VisitorPage {
  language: Language;
  /** Plain text, like every field without Html in its name. */
  title: string;
  headHtml?: string;
  /** Above the title, unless there is a logo. */
  sign?: Sign;
  bodyHtml: string;
  /** Paragraphs below the card. */
  footHtml?: string;
  branding?: CompiledBranding | undefined;
}

export function renderPage({
  language,
  title,
  headHtml = "",
  sign,
  bodyHtml,
  footHtml = "",
  branding,
}: VisitorPage): Buffer {
  const own = branding?.css ? `<style>${branding.css}</style>` : "";
  const top = branding?.logoHtml || (sign ? signHtml(sign) : "");
  const body = bodyHtml.replace("<main>", () => `<main>${top}`);
  return Buffer.from(
    `<!doctype html><html lang="${language === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width,initial-scale=1">` +
      `<title>${escapeHtml(title)}</title>${headHtml}<style>${style}</style>${own}</head><body>${body}<footer>${footHtml}</footer></body></html>`,
  );
}

const dashboardHostTexts: Record<Language, (host: string) => string> = {
  en: (host) =>
    `This link was created by a user of ${host}. Never enter the password of your account here.`,
  zh: (host) => `此链接由 ${host} 的用户创建，请勿在此输入你的账户密码。`,
};

/** Shown on the dashboard’s host, where visitors could think that the page belongs to Fuxi itself. */
export function userLinkNotice(language: Language): string {
  const { hostname } = new URL(config().FUXI_URL);
  return `<p class="note">${escapeHtml(dashboardHostTexts[language](hostname))}</p>`;
}

export interface HeadOptions {
  /** Added to the policy of the page. */
  allowed?: string | undefined;
  branding?: CompiledBranding | undefined;
  indexed?: boolean;
}

export function pageHead(
  page: Buffer,
  { allowed = "form-action 'none'", branding, indexed = false }: HeadOptions = {},
): string[] {
  const styles = branding?.css ? `${styleSource} ${branding.source}` : styleSource;
  const images = branding?.logoHtml ? " img-src data:;" : "";
  return [
    "Content-Type",
    "text/html; charset=utf-8",
    "Content-Length",
    String(page.length),
    "Cache-Control",
    "no-store",
    "Content-Security-Policy",
    `default-src 'none'; style-src ${styles};${images} base-uri 'none'; frame-ancestors 'none'; ${allowed}`,
    "X-Content-Type-Options",
    "nosniff",
    // The visit from a page to the destination has no referrer.
    "Referrer-Policy",
    "no-referrer",
    "Vary",
    "Accept-Language",
    ...(indexed ? [] : ["X-Robots-Tag", "noindex"]),
  ];
}
