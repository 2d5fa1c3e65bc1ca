/**
 * The page that opens a mini program inside WeChat with a button of WeChat: "微信开放标签",
 * developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_Open_Tag. The button appears when
 * WeChat’s SDK accepts the signature of the page. Until then, or if it doesn’t, visitors have the
 * URL Link of the page or instructions to open the browser, and the web.
 */
import { createHash } from "node:crypto";
import type { InsideApps } from "#lib/links/link-cache/schema";
import type { SignedPage } from "#lib/redirect/app-browsers";
import {
  type CompiledBranding,
  escapeHtml,
  type Language,
  languageOf,
  renderPage,
} from "#lib/redirect/visitor-pages";

const english = {
  title: "Open the mini program",
  open: "Open mini program",
  menu: "If no button appears, tap ··· in the top right corner and open this page in your browser.",
  web: "Continue on the web",
};

const texts: Record<Language, typeof english> = {
  en: english,
  zh: {
    title: "打开小程序",
    open: "打开小程序",
    menu: "如果没有出现按钮，请点击右上角的“···”，在浏览器中打开此页面。",
    web: "继续访问网页",
  },
};

const sdk = "https://res.wx.qq.com/open/js/jweixin-1.6.0.js";

// Tags only appear if the list of interfaces is not empty.
const script = `const at=(id)=>document.getElementById(id),tag=at("tag"),other=at("other"),show=()=>{other.hidden=false},start=()=>{wx.error(show);wx.config({...JSON.parse(tag.dataset.signed),jsApiList:["updateAppMessageShareData"],openTagList:["wx-open-launch-weapp"]});const card=tag.dataset.card;if(card)wx.ready(()=>wx.updateAppMessageShareData(JSON.parse(card)))};tag.addEventListener("ready",()=>{other.hidden=true});tag.addEventListener("error",show);document.addEventListener("WeixinOpenTagsError",show);if(window.wx)start();else at("sdk").onload=start`;

const scriptHash = createHash("sha256").update(script).digest("base64");

/** "对于有CSP要求的页面，需要添加白名单frame-src https://*.qq.com webcompt:" */
// defence: open-tag-scripts
export const openTagSources = `form-action 'none'; script-src ${sdk} 'sha256-${scriptHash}'; frame-src https://*.qq.com webcompt:`;

/** Inside its frame, styles of the page have no effect. */
const buttonStyle =
  "button{display:block;width:100%;min-height:44px;padding:8px 12px;border:0;border-radius:8px;background:#07c160;color:#fff;font:16px/1.6 system-ui,sans-serif}";

/** What WeChat shows when the visitor shares the page. */
export interface SharedCard {
  title: string;
  desc: string;
  link: string;
  imgUrl: string;
}

interface OpenTagOptions {
  program: InsideApps;
  signed: SignedPage;
  card: SharedCard | undefined;
  urlLink: string | undefined;
  /** Undefined: the owner does not allow it. */
  webUrl: string | undefined;
  acceptLanguage: string | undefined;
  branding: CompiledBranding | undefined;
}

export function openTagPage(options: OpenTagOptions): Buffer {
  const { program, signed, card, urlLink, webUrl, acceptLanguage, branding } = options;
  const language = languageOf(acceptLanguage);
  const labels = texts[language];
  const shared = card ? ` data-card="${escapeHtml(JSON.stringify(card))}"` : "";
  const tag =
    `<wx-open-launch-weapp id="tag" appid="${escapeHtml(program.appId ?? "")}" path="${escapeHtml(pathOf(program))}"` +
    ` data-signed="${escapeHtml(JSON.stringify(signed))}"${shared}>` +
    `<script type="text/wxtag-template"><style>${buttonStyle}</style><button>${labels.open}</button></script></wx-open-launch-weapp>`;
  const other =
    urlLink === undefined
      ? `<p id="other" class="note">${labels.menu}</p>`
      : `<a id="other" class="button" href="${escapeHtml(urlLink)}">${labels.open}</a>`;
  const web =
    webUrl === undefined
      ? ""
      : `<a class="button other" rel="noreferrer" href="${escapeHtml(webUrl)}">${labels.web}</a>`;
  const bodyHtml =
    `<main><h1>${labels.title}</h1><div class="ways">${tag}${other}${web}</div>` +
    `<script id="sdk" async src="${sdk}"></script><script>${script}</script></main>`;
  return renderPage({ language, title: labels.title, bodyHtml, branding });
}

/** "对于path属性，所声明的页面路径必须添加.html后缀". */
function pathOf({ path = "", query = "" }: InsideApps): string {
  return `${path}.html${query === "" ? "" : `?${query}`}`;
}
