/**
 * The preview: a short link followed by a plus shows its destination without redirecting.
 *
 * It is for people who do not trust the link. So the host is shown alone and in its technical form, and no text of the
 * link's owner can flip, hide or imitate a part of it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { targetEntry } from "#lib/links/link-cache";
import { addressOf, countryOf } from "#lib/platform/http";
import { targets } from "./caches.ts";
import { chooseUrl } from "./choice.ts";
import { closedPageOf } from "./closed.ts";
import {
  displayUrl,
  escapeHtml,
  type Language,
  languageOf,
  noindex,
  pageHead,
  renderPage,
  sendDocument,
  visibleText,
} from "./document.ts";
import { withIcp } from "./icp.ts";
import { outcomes } from "./outcomes.ts";
import { sendPage } from "./pages.ts";
import { reportAddressOf, reportHtml } from "./report-link.ts";
import { type Host, loadPreviewDetails } from "./store.ts";
import type { Target } from "./target.ts";
import { canonicalHost, keyOfPath, userAgentOf } from "./visitor.ts";

export interface PreviewedLink {
  target: Target;
  key: string;
}

/** The link whose preview a path is: none where a link has exactly this key, including the plus. */
export async function findPreviewed(host: Host, path: string): Promise<PreviewedLink | undefined> {
  const key = keyOfPath(path, host.folded);
  if (!key?.endsWith("+")) return undefined;
  if (await targets.find(targetEntry(host.domainPk, key))) return undefined;
  const bare = key.slice(0, -1);
  const target = bare && (await targets.find(targetEntry(host.domainPk, bare)));
  return target ? { target, key: bare } : undefined;
}

const english = {
  title: "Link preview",
  short: "Short link",
  destination: "Website",
  address: "Destination URL",
  name: "Title set by the link’s owner",
  clicks: "Clicks (without bots)",
  button: "Continue",
  secret: "This link is password-protected. Enter the password to see its destination.",
  limited: "This link has a click limit. Open it to see its destination.",
  user: "The URL has a username before the domain, which doesn’t identify the website. It’s hidden here.",
  letters: "The domain has characters other than A to Z. It’s shown in its ASCII form.",
  several: "This link has several destinations. You’d be redirected to this one now.",
};
type PreviewTexts = typeof english;

const chinese: PreviewTexts = {
  title: "链接预览",
  short: "短链接",
  destination: "网站",
  address: "目标网址",
  name: "链接所有者设置的标题",
  clicks: "点击数（不含机器人）",
  button: "继续访问",
  secret: "该链接受密码保护，输入密码后才能看到目标网址。",
  limited: "该链接有点击数上限，打开后才能看到目标网址。",
  user: "网址的域名前带有用户名，与实际网站无关，此处已隐藏。",
  letters: "域名含有 A 到 Z 以外的字符，此处以 ASCII 形式显示。",
  several: "该链接有多个目标网址，你现在会跳转到这一个。",
};

const texts: Record<Language, PreviewTexts> = { en: english, zh: chinese };

export async function respondPreview(
  req: IncomingMessage,
  res: ServerResponse,
  { target, key }: PreviewedLink,
): Promise<void> {
  const closed = closedPageOf(target, Date.now());
  if (closed) {
    sendPage(req, res, ...closed);
    return;
  }
  outcomes.preview += 1;
  const language = languageOf(req.headers["accept-language"]);
  const labels = texts[language];
  const short = `${canonicalHost(req.headers.host ?? "")}/${visibleText(key)}`;
  const { title, clicks } = await loadPreviewDetails(target.linkPk);
  const { rows, notes } = await detailsOf(req, target, { labels, title });
  if (clicks !== undefined) {
    rows.push(rowOf(labels.clicks, new Intl.NumberFormat(language).format(clicks), "ltr"));
  }
  const bodyHtml =
    `<main><h1>${labels.title}</h1><dl>${rowOf(labels.short, short, "ltr")}${rows.join("")}</dl>` +
    notes.map((note) => `<p class="note">${note}</p>`).join("") +
    `<div class="ways"><a class="button" rel="nofollow" href="${pathOf(key)}">${labels.button}</a></div>` +
    `${reportHtml(language, reportAddressOf(req, pathOf(key)))}</main>`;
  const page = withIcp(renderPage({ language, title: labels.title, bodyHtml }), req);
  sendDocument(req, res, 200, page, [...pageHead(page), ...noindex]);
}

/** The visible details of the destination: none for visitors who would need a password or meet another condition. */
async function detailsOf(
  req: IncomingMessage,
  target: Target,
  { labels, title }: { labels: PreviewTexts; title: string | undefined },
): Promise<{ rows: string[]; notes: string[] }> {
  const { password, maxClicks } = target.extras ?? {};
  if (password !== undefined) return { rows: [], notes: [labels.secret] };
  if (maxClicks !== undefined) return { rows: [], notes: [labels.limited] };
  const shown = displayUrl(await chooseUrl(target, visitorRequestOf(req)));
  const rows = [rowOf(labels.destination, shown.host, "ltr", "host")];
  if (title) rows.push(rowOf(labels.name, visibleText(title), "auto"));
  rows.push(rowOf(labels.address, shown.address, "ltr", "address"));
  const notes: string[] = [];
  if (shown.hasUser) notes.push(labels.user);
  if (shown.hasLetters) notes.push(labels.letters);
  if (hasChoice(target)) notes.push(labels.several);
  return { rows, notes };
}

function visitorRequestOf(req: IncomingMessage) {
  return {
    address: addressOf(req),
    country: countryOf(req),
    userAgent: userAgentOf(req),
    language: req.headers["accept-language"] ?? "",
    now: Date.now(),
  };
}

function hasChoice({ rules, extras }: Target): boolean {
  return rules.length > 0 || Boolean(extras?.ios ?? extras?.android ?? extras?.geo ?? extras?.test);
}

function rowOf(name: string, text: string, direction: "ltr" | "auto", kind = ""): string {
  const attributes = kind ? ` class="${kind}"` : "";
  return `<dt>${name}</dt><dd${attributes}><bdi dir="${direction}">${escapeHtml(text)}</bdi></dd>`;
}

/** The link itself, whatever its key: never another host. */
function pathOf(key: string): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  return escapeHtml(`/${path.replace(/^\/+/, "")}`);
}
