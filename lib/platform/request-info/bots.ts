/**
 * Detects bots by their User-Agent. `isbot` has thousands of crawlers; the lists here add programs that fetch a link
 * without a click, and classify each.
 *
 * Sources, as published by their vendors: previews in messages and networks from the pages on crawlers of Meta
 * (facebookexternalhit, meta-externalagent, WhatsApp), X (Twitterbot), LinkedIn, Slack ("Robots":
 * Slackbot-LinkExpanding, Slack-ImgProxy), Discord, Telegram (TelegramBot), Microsoft (SkypeUriPreview in Skype and
 * Teams, BingPreview), Apple (Applebot; iMessage sends "facebookexternalhit/1.1 Facebot Twitterbot/1.0"), Pinterest,
 * Reddit, Snap (Snap URL Preview Service), LINE (line-poker), Kakao (kakaotalk-scrap), Viber, VK (vkShare), Mastodon,
 * Bluesky (Cardyb), Iframely, Embedly. Apps with an in-app browser (Instagram, KAKAOTALK, Line/, Pinterest/) are not
 * included.
 *
 * Scanners of links in mail and text messages, by the names that they send: Barracuda, Mimecast, Proofpoint (URL
 * Defense), Symantec and its MessageLabs, Trend Micro, Sophos, Fortinet, Forcepoint, FireEye, Cisco (IronPort),
 * Zscaler, Cloudmark, Bitdefender, Kaspersky, Norton Safe Web, McAfee, Google (safety and image proxies), Yahoo (mail
 * proxy), Microsoft Office (fetches a link before the browser does), urlscan.io, VirusTotal. Scanners that imitate a
 * browser cannot be detected by their headers; the setting for repeat visits (see lib/analytics/ingest/repeats.ts)
 * excludes some, a list of networks (data-centers.ts) others.
 */
import { isbot } from "isbot";

/**
 * crawler: reads the web on its own · preview: shows a link in a message · scanner: looks for malware · program: a
 * developer tool · silent: sends no name · head: a HEAD request · repeat: a person who was counted a moment ago ·
 * data_center: from a network on the operator's list
 */
export type BotKind =
  | "crawler"
  | "preview"
  | "scanner"
  | "program"
  | "silent"
  | "head"
  | "repeat"
  | "data_center";

const previews =
  /facebookexternalhit|facebookcatalog|meta-external|facebot|twitterbot|^whatsapp|telegrambot|slackbot|slack-imgproxy|discordbot|linkedinbot|skypeuripreview|microsoftpreview|bingpreview|pinterestbot|redditbot|snap url preview|line-poker|kakaotalk-scrap|^viber|vkshare|mastodon|bluesky|cardyb|iframely|embedly|applebot|flipboardproxy|tumblr\/|nuzzel|quora link preview|xing-contenttabreceiver|googlemessages|link ?preview|urlpreview/i;

const scanners =
  /barracuda|mimecast|proofpoint|urldefense|symantec|messagelabs|trend ?micro|sophos|fortinet|fortiguard|forcepoint|fireeye|ironport|zscaler|cloudmark|bitdefender|kaspersky|norton safe|mcafee|google-?safety|google-?imageproxy|googleimageproxy|yahoomailproxy|ms-office|msoffice|microsoft office|microsoft outlook|urlscan|virustotal|safelinks|spamassassin|phish/i;

const programs =
  /^(curl|wget|python|go-http|okhttp|axios|node|undici|got |java|libwww|lwp|postman|insomnia|httpie|apache-http|ruby|guzzle|php|dart|rust|reqwest|perl|powershell|winhttp|aiohttp|http_|k6|ab\/|hey\/|wrk)/i;

/** Alipay describes the screen with the sign | there, which isbot takes for that of a crawler. */
const alipayScreen = /\bAlipayDefined\([^)]*\)/;

/** Null for a person. */
export function botKindOf(userAgent: string): BotKind | null {
  // Every browser sends a name; a client without one is a program.
  if (userAgent === "") return "silent";
  if (previews.test(userAgent)) return "preview";
  if (scanners.test(userAgent)) return "scanner";
  if (programs.test(userAgent)) return "program";
  return isbot(userAgent.replace(alipayScreen, "")) ? "crawler" : null;
}
