/**
 * The preview: a short link followed by a plus shows its destination without redirecting. It is for
 * people who do not trust the link, so the host is shown alone and in ASCII, and no text of the
 * link’s owner can flip, hide or imitate a part of it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { query } from "#lib/platform/postgres";
import { canonicalHost } from "#lib/redirect/requests";
import { chooseUrl, type Target } from "#lib/redirect/targets";
import {
  escapeHtml,
  type Language,
  languageOf,
  outcomes,
  renderPage,
  reportHtml,
  sendDocument,
  sendPage,
  visibleText,
} from "#lib/redirect/visitor-pages";
import { closedPageOf } from "./closed-page.ts";

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
  { target, key }: { target: Target; key: string },
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
    `<div class="ways"><a class="button" rel="nofollow" href="${pathOf(key)}">${labels.button}</a></div></main>`;
  const footHtml = reportHtml(language, req, pathOf(key));
  sendDocument(
    req,
    res,
    200,
    renderPage({ language, title: labels.title, sign: "eye", bodyHtml, footHtml }),
  );
}

/** Omits the details from visitors who would need a password or meet another condition. */
async function detailsOf(
  req: IncomingMessage,
  target: Target,
  { labels, title }: { labels: PreviewTexts; title: string | undefined },
): Promise<{ rows: string[]; notes: string[] }> {
  const { password, maxClicks } = target.extras ?? {};
  if (password !== undefined) return { rows: [], notes: [labels.secret] };
  if (maxClicks !== undefined) return { rows: [], notes: [labels.limited] };
  const shown = displayUrl(await chooseUrl(req, target, Date.now()));
  const rows = [rowOf(labels.destination, shown.host, "ltr", "host")];
  if (title) rows.push(rowOf(labels.name, visibleText(title), "auto"));
  rows.push(rowOf(labels.address, shown.address, "ltr", "address"));
  const notes: string[] = [];
  if (shown.hasUser) notes.push(labels.user);
  if (shown.hasLetters) notes.push(labels.letters);
  if (hasChoice(target)) notes.push(labels.several);
  return { rows, notes };
}

function hasChoice({ rules, extras }: Target): boolean {
  return rules.length > 0 || Boolean(extras?.ios ?? extras?.android ?? extras?.geo ?? extras?.test);
}

function rowOf(name: string, text: string, direction: "ltr" | "auto", kind = ""): string {
  const attributes = kind ? ` class="${kind}"` : "";
  return `<dt>${name}</dt><dd${attributes}><bdi dir="${direction}">${escapeHtml(text)}</bdi></dd>`;
}

/** Starts with a single slash, so that no key can lead to another host. */
function pathOf(key: string): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  return escapeHtml(`/${path.replace(/^\/+/, "")}`);
}

/** The start of a URL matters most. More of it would push the notes and the button off a phone screen. */
const addressCharsMax = 240;

interface DisplayUrl {
  host: string;
  address: string;
  hasUser: boolean;
  hasLetters: boolean;
}

/** A URL in a form that people can check: ASCII, the host in punycode, nothing before the host. */
export function displayUrl(text: string): DisplayUrl {
  const url = new URL(text);
  const hasUser = url.username !== "" || url.password !== "";
  url.username = "";
  url.password = "";
  const { href } = url;
  return {
    // An app URL has a scheme instead of a host.
    host: /^https?:$/.test(url.protocol) ? url.host : url.protocol,
    address: href.length > addressCharsMax ? `${href.slice(0, addressCharsMax)}…` : href,
    hasUser,
    hasLetters: /(?:^|\.)xn--/.test(url.hostname),
  };
}

interface PreviewDetails {
  title: string | undefined;
  /** Undefined unless the owner made them public. */
  clicks: number | undefined;
}

async function loadPreviewDetails(linkPk: number): Promise<PreviewDetails> {
  const [row] = await query<{ title: string | null; clicks: number | null }>({
    name: "redirect-shown",
    // Answered by link_pkey and link_stat_pkey.
    text: `
      SELECT link.title,
        CASE WHEN link.public_stats THEN coalesce(link_stat.clicks, 0) END AS clicks
      FROM link
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE link.pk = $1`,
    values: [linkPk],
  });
  return { title: row?.title ?? undefined, clicks: row?.clicks ?? undefined };
}
