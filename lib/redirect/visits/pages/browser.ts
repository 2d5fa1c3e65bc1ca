/**
 * The page that shows how to leave the in-app browser of an app: an arrow to its menu, the link to
 * copy, and a way to continue there if the owner allows it. Its script only copies, and the page
 * works without it.
 */
import { createHash } from "node:crypto";
import { appLabel } from "#lib/platform/request-info/schema";
import { type AppBrowser, menuEdgeOf, wayOutOf } from "#lib/redirect/app-browsers";
import {
  type CompiledBranding,
  escapeHtml,
  type Language,
  languageOf,
  renderPage,
  userLinkNotice,
} from "#lib/redirect/visitor-pages";

const english = {
  title: "Open this link in your browser",
  top: (app: string) =>
    `In ${app}, tap ··· in the top right corner, then choose to open the page in your browser.`,
  bottom: (app: string) =>
    `In ${app}, tap ··· in the bottom right corner, then choose to open the page in your browser.`,
  unknown: (app: string) => `In ${app}, open the menu and choose to open the page in your browser.`,
  open: "Open in browser",
  link: "Link",
  copy: "Copy link",
  copied: "Link copied. Paste it into your browser.",
  onward: "Continue here anyway",
};
type BrowserPageTexts = typeof english;

const chinese: BrowserPageTexts = {
  title: "请在浏览器中打开",
  top: (app) => `在${app}中点击右上角的“···”，然后选择在浏览器中打开。`,
  bottom: (app) => `在${app}中点击右下角的“···”，然后选择在浏览器中打开。`,
  unknown: (app) => `在${app}中打开菜单，然后选择在浏览器中打开。`,
  open: "在浏览器中打开",
  link: "链接",
  copy: "复制链接",
  copied: "已复制，请粘贴到浏览器中打开。",
  onward: "仍在此处打开",
};

const texts: Record<Language, BrowserPageTexts> = { en: english, zh: chinese };

/** From the lower left to the dots of the menu. Mirrored for a menu at the bottom. */
const arrow =
  '<path d="M10 116C14 66 46 34 98 26M76 8l24 17-16 25"/><path class="dots" d="M106 8h.1M116 8h.1M126 8h.1"/>';

const script = `const at=(id)=>document.getElementById(id),button=at("copy");button.hidden=false;button.onclick=async()=>{let done=true;try{await navigator.clipboard.writeText(at("link").value)}catch{at("link").select();done=document.execCommand("copy")}if(done)at("copied").textContent=at("copied").dataset.text}`;

export const scriptSource = `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`;

interface BrowserPageOptions {
  browser: AppBrowser;
  address: string;
  /** Undefined: the owner does not allow it. */
  continueUrl: string | undefined;
  acceptLanguage: string | undefined;
  branding: CompiledBranding | undefined;
  onDashboardHost: boolean;
}

export function browserPage(options: BrowserPageOptions): Buffer {
  const { browser, address, continueUrl, acceptLanguage, branding, onDashboardHost } = options;
  const language = languageOf(acceptLanguage);
  const labels = texts[language];
  const edge = menuEdgeOf(browser);
  const out = wayOutOf(browser, address);
  const picture = edge
    ? `<svg class="arrow ${edge}" viewBox="0 0 132 124" aria-hidden="true">${arrow}</svg>`
    : "";
  const text = labels[edge ?? "unknown"](escapeHtml(appLabel(browser.app, language)));
  const open = out ? `<a class="button" href="${escapeHtml(out.url)}">${labels.open}</a>` : "";
  const onward = continueUrl
    ? `<a class="button other" rel="nofollow" href="${escapeHtml(continueUrl)}">${labels.onward}</a>`
    : "";
  const copy =
    // defence: in-app-link-escaped
    `<label for="link">${labels.link}</label><input id="link" readonly dir="ltr" value="${escapeHtml(address)}">` +
    `<button id="copy" type="button"${out ? ' class="other"' : ""} hidden>${labels.copy}</button>` +
    `<p id="copied" role="status" data-text="${labels.copied}"></p>`;
  const bodyHtml =
    `${picture}<main><h1>${labels.title}</h1><p>${text}</p><div class="ways">${open}${copy}${onward}</div>` +
    `${onDashboardHost ? userLinkNotice(language) : ""}<script>${script}</script></main>`;
  const headHtml = out?.isAutomatic
    ? `<meta http-equiv="refresh" content="0;url=${escapeHtml(out.url)}">`
    : "";
  return renderPage({ language, title: labels.title, headHtml, bodyHtml, branding });
}
