/**
 * The preview: a link's address with a plus behind it says where the link leads, and sends nobody there.
 *
 * It is made for people who do not trust what they were sent. So the host stands alone and as machines read it, and
 * nothing that the owner of the link wrote can turn, hide or imitate a part of it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { targetEntry } from "#lib/links/link-cache";
import { addressOf } from "#lib/platform/http";
import { targets } from "./caches.ts";
import { chooseUrl } from "./choice.ts";
import { closedAs } from "./closed.ts";
import {
  escapeHtml,
  type Language,
  languageOf,
  noindex,
  pageHead,
  renderPage,
  sendDocument,
  visibleText,
} from "./document.ts";
import { outcomes } from "./outcomes.ts";
import { sendPage } from "./pages.ts";
import { type Host, loadShown } from "./store.ts";
import type { Target } from "./target.ts";
import { canonicalHost, keyOfPath, userAgentOf } from "./visitor.ts";

export interface Previewed {
  target: Target;
  key: string;
}

/** The link of which a path is the preview: none where a link has that very key, plus and all. */
export async function findPreviewed(host: Host, path: string): Promise<Previewed | undefined> {
  const key = keyOfPath(path, host.folded);
  if (!key?.endsWith("+")) return undefined;
  if (await targets.find(targetEntry(host.domainPk, key))) return undefined;
  const bare = key.slice(0, -1);
  const target = bare && (await targets.find(targetEntry(host.domainPk, bare)));
  return target ? { target, key: bare } : undefined;
}

const english = {
  title: "Where this link leads",
  short: "Short link",
  destination: "Site",
  address: "Address",
  name: "Title given by the owner of the link",
  clicks: "Clicks so far, without bots",
  button: "Continue",
  secret: "This link has a password. Where it leads is shown to those who know it.",
  limited: "This link may be opened only so often. Where it leads is shown when you open it.",
  user: "The address has a name before its host, which says nothing about the site. It is left out here.",
  letters: "The host has letters beyond A to Z. It is shown as machines read it.",
  several: "The link has several destinations. This is the one that you would be sent to now.",
};
type Words = typeof english;

const chinese: Words = {
  title: "此链接指向何处",
  short: "短链接",
  destination: "网站",
  address: "完整地址",
  name: "链接所有者填写的标题",
  clicks: "累计点击（不含机器人）",
  button: "继续访问",
  secret: "该链接设有密码，只有知道密码的人才能看到目标地址。",
  limited: "该链接的打开次数有限，打开时才会显示目标地址。",
  user: "地址在主机名前带有用户名，它与实际网站无关，此处已略去。",
  letters: "主机名含有 A 到 Z 以外的字母，这里按机器读取的形式显示。",
  several: "该链接有多个目标，这里显示的是你此刻会被送往的目标。",
};

const words: Record<Language, Words> = { en: english, zh: chinese };

export async function answerPreview(
  req: IncomingMessage,
  res: ServerResponse,
  { target, key }: Previewed,
): Promise<void> {
  const closed = closedAs(target, Date.now());
  if (closed) {
    sendPage(req, res, ...closed);
    return;
  }
  outcomes.preview += 1;
  const language = languageOf(req.headers["accept-language"]);
  const said = words[language];
  const short = `${canonicalHost(req.headers.host ?? "")}/${visibleText(key)}`;
  const { title, clicks } = await loadShown(target.linkPk);
  const { rows, notes } = await detailsOf(req, target, { said, title });
  if (clicks !== undefined) {
    rows.push(rowOf(said.clicks, new Intl.NumberFormat(language).format(clicks), "ltr"));
  }
  const bodyHtml =
    `<main><h1>${said.title}</h1><dl>${rowOf(said.short, short, "ltr")}${rows.join("")}</dl>` +
    notes.map((note) => `<p class="note">${note}</p>`).join("") +
    `<div class="ways"><a class="button" rel="nofollow" href="${pathOf(key)}">${said.button}</a></div></main>`;
  const page = renderPage({ language, title: said.title, bodyHtml });
  sendDocument(req, res, 200, page, [...pageHead(page), ...noindex]);
}

/** What may be told of the destination: nothing to who would have to do something for it. */
async function detailsOf(
  req: IncomingMessage,
  target: Target,
  { said, title }: { said: Words; title: string | undefined },
): Promise<{ rows: string[]; notes: string[] }> {
  const { password, maxClicks } = target.extras ?? {};
  if (password !== undefined) return { rows: [], notes: [said.secret] };
  if (maxClicks !== undefined) return { rows: [], notes: [said.limited] };
  const shown = showUrl(await chooseUrl(target, askingOf(req)));
  const rows = [rowOf(said.destination, shown.host, "ltr", "host")];
  if (title) rows.push(rowOf(said.name, visibleText(title), "auto"));
  rows.push(rowOf(said.address, shown.address, "ltr", "address"));
  const notes: string[] = [];
  if (shown.hasUser) notes.push(said.user);
  if (shown.hasLetters) notes.push(said.letters);
  if (hasChoice(target)) notes.push(said.several);
  return { rows, notes };
}

function askingOf(req: IncomingMessage) {
  return {
    address: addressOf(req),
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

/** The link itself, of whatever its key is made: never another host. */
function pathOf(key: string): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  return escapeHtml(`/${path.replace(/^\/+/, "")}`);
}

/** What is decisive stands before; more would push the notes and the button off a phone. */
const addressCharsMax = 240;

interface ShownUrl {
  host: string;
  address: string;
  hasUser: boolean;
  hasLetters: boolean;
}

/** An address as a person can judge it: ASCII, the host in punycode, nothing before the host. */
function showUrl(text: string): ShownUrl {
  const url = new URL(text);
  const hasUser = url.username !== "" || url.password !== "";
  url.username = "";
  url.password = "";
  const { href } = url;
  return {
    // What is no web address has an app instead of a host.
    host: /^https?:$/.test(url.protocol) ? url.host : url.protocol,
    address: href.length > addressCharsMax ? `${href.slice(0, addressCharsMax)}…` : href,
    hasUser,
    hasLetters: /(?:^|\.)xn--/.test(url.hostname),
  };
}
