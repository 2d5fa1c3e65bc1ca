import type { SocialCard } from "#lib/links/link-cache";
import { escapeHtml, languageOf, renderPage } from "#lib/redirect/visitor-pages";

/**
 * Programs that fetch a posted URL and render a preview. Excludes search engines, which index the destination, and the in-app
 * browsers of these apps (FBAN, MicroMessenger, Line/), which people use; the patterns tell them apart. lib/platform/request-info
 * knows more previews, including those for search and training.
 */
const crawlers = [
  "facebookexternalhit", // Facebook, Instagram and Messenger; Apple's Messages and LINE use it too
  "Facebot",
  "Twitterbot",
  "LinkedInBot",
  "Slackbot", // Slackbot-LinkExpanding
  "^WhatsApp/",
  "TelegramBot",
  "Discordbot",
  "Pinterestbot",
  "^Pinterest/", // its older name; its app sends [Pinterest/iOS]
  "redditbot",
  "Snap URL Preview", // Snapchat
  "SkypeUriPreview", // Skype and Teams
  "vkShare",
  "kakaotalk-scrap",
  "line-poker",
  "Bluesky Cardyb",
  "^Mastodon/",
  "Iframely", // renders for many others
  "Embedly",
  "QQ-URL-Manager", // QQ; requests of WeChat cannot be told from its browser
  "LarkUrl2Meta", // Lark and Feishu
  "DingTalkBot-LinkService",
];
const crawlerPattern = new RegExp(crawlers.join("|"), "i");

export function isPreviewCrawler(userAgent: string): boolean {
  return crawlerPattern.test(userAgent);
}

/** No network shows more of a description. */
const descriptionCharsMax = 300;

/** The social preview of a link. Does not reveal the destination. */
export function cardPage(card: SocialCard, acceptLanguage: string | undefined): Buffer {
  const title = card.title ?? "";
  const description = (card.description ?? "").slice(0, descriptionCharsMax).toWellFormed();
  const image = card.image ?? "";
  const headHtml = [
    meta("name", "description", description),
    meta("property", "og:type", "website"),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:image", image),
    meta("property", "og:video", card.video ?? ""),
    meta("name", "twitter:card", image ? "summary_large_image" : "summary"),
    meta("name", "twitter:title", title),
    meta("name", "twitter:description", description),
    meta("name", "twitter:image", image),
  ].join("");
  const bodyHtml = `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p></main>`;
  return renderPage({ language: languageOf(acceptLanguage), title, headHtml, bodyHtml });
}

function meta(kind: "name" | "property", name: string, text: string): string {
  return text === "" ? "" : `<meta ${kind}="${name}" content="${escapeHtml(text)}">`;
}
