/** What visitor pages share. They load nothing from third parties, and need no script. */
import { createHash } from "node:crypto";
import { config } from "#lib/platform/config";
import type { CompiledBranding } from "./branding.ts";

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

const style = `
:root{color-scheme:light dark;--text:#171717;--quiet:#5f5f5f;--line:#8a8a8a;--ground:#fff;--wrong:#b42318}
@media(prefers-color-scheme:dark){:root{--text:#ededed;--quiet:#a1a1a1;--line:#7a7a7a;--ground:#0a0a0a;--wrong:#ff8f85}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;background:var(--ground);
color:var(--text);font:16px/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
main{padding:24px;width:100%;max-width:30rem;text-align:center;overflow-wrap:anywhere}
h1{font-size:20px;line-height:1.4;font-weight:600;margin:0 0 8px;text-wrap:balance}
p{margin:0;color:var(--quiet);text-wrap:pretty}
form,.ways{display:grid;gap:8px;margin-top:24px;text-align:start}label{font-size:14px}
input,select,textarea,button,.button{font:inherit;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;
background:var(--ground);color:var(--text)}
button,.button{background:var(--text);color:var(--ground);border-color:var(--text);cursor:pointer;text-align:center;
text-decoration:none}
.other{background:none;color:var(--text);border-color:var(--line)}
[aria-invalid]{border-color:#d64545}
:focus-visible{outline:2px solid #2f6fed;outline-offset:2px}
dl{margin:24px 0 0;text-align:start;border:1px solid var(--line);border-radius:8px;padding:4px 16px}
dt{font-size:14px;color:var(--quiet);margin-top:12px}dd{margin:0 0 12px}
.host{font-size:18px;font-weight:600;color:var(--text)}.address{font-size:14px;color:var(--quiet)}
.note{margin-top:16px;font-size:14px;text-align:start}.report{text-align:center}.report a{color:inherit}
.arrow{position:fixed;right:12px;pointer-events:none;width:132px;height:124px;fill:none;stroke:var(--text);stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
.arrow .dots{stroke-width:8}.arrow.top{top:8px}.arrow.bottom{bottom:8px;transform:scaleY(-1)}
.arrow.top~main{padding-top:140px}.arrow.bottom~main{padding-bottom:140px}
.box{display:grid;grid-template-columns:24px 1fr;gap:8px;padding:4px 0}.box input{min-height:24px;margin:0}
fieldset{border:0;margin:0;padding:0}legend{padding:0;font-size:14px}.quiet{color:var(--quiet)}
.alert{margin-top:16px;color:var(--text);font-weight:600}.problem{font-size:14px;color:var(--wrong)}
.away{position:absolute;left:-9999px}
.framed,.framed iframe{display:block;width:100%;height:100vh;height:100dvh;border:0;padding:0;max-width:none}
.framed{overflow:hidden}`;
const styleSource = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;

export interface VisitorPage {
  language: Language;
  /** Plain text, like every field without Html in its name. */
  title: string;
  headHtml?: string;
  bodyHtml: string;
  branding?: CompiledBranding | undefined;
}

export function renderPage({
  language,
  title,
  headHtml = "",
  bodyHtml,
  branding,
}: VisitorPage): Buffer {
  const own = branding?.css ? `<style>${branding.css}</style>` : "";
  const body = branding ? bodyHtml.replace("<main>", () => `<main>${branding.logoHtml}`) : bodyHtml;
  return Buffer.from(
    `<!doctype html><html lang="${language === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width,initial-scale=1">` +
      `<title>${escapeHtml(title)}</title>${headHtml}<style>${style}</style>${own}</head><body>${body}</body></html>`,
  );
}

const dashboardHostTexts: Record<Language, (host: string) => string> = {
  en: (host) =>
    `This link was created by a user of ${host}. Never enter the password of your account here.`,
  zh: (host) => `此链接由 ${host} 的用户创建，请勿在此输入你的账户密码。`,
};

/** Shown on the host of the dashboard, where the page could be taken for one of the instance. */
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
