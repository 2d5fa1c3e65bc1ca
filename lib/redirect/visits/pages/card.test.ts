import { expect, test } from "vitest";
import { parseAgent } from "#lib/platform/request-info";
import { isPreviewCrawler } from "./card.ts";

const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

test.each([
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "WhatsApp/2.23.20.0 A",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
  "Pinterest/0.2 (+http://www.pinterest.com/)",
  "Mozilla/5.0 (compatible; redditbot/1.0)",
  `${safari} (Snap URL Preview Service; bot; snapchat)`,
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)",
  "facebookexternalhit/1.1; kakaotalk-scrap/1.0",
  "facebookexternalhit/1.1;line-poker/1.0",
  "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
  "Mastodon/4.2.1 (http.rb/5.1.1; +https://mastodon.social/)",
  "Iframely/1.3.1 (+https://iframely.com/docs/about)",
  "Mozilla/5.0 (compatible; Embedly/0.2)",
  `${safari} QQ-URL-Manager`,
  "Mozilla/5.0 LarkUrl2Meta/1.0",
  "DingTalkBot-LinkService/1.0",
])("%s gets a card, and never counts as a person", (agent) => {
  expect([isPreviewCrawler(agent), parseAgent(agent).bot]).toEqual([true, true]);
});

test.each([
  safari,
  `${safari} MicroMessenger/8.0.50(0x18003231) NetType/WIFI`,
  `${safari} QQ/9.0.1.600`,
  `${safari} [FBAN/FBIOS;FBAV/440.0]`,
  `${safari} Instagram 300.0`,
  `${safari} [Pinterest/iOS]`,
  `${safari} Safari Line/13.20.0`,
  `${safari} KAKAOTALK 10.4.5`,
  `${safari} Lark/7.5.0 LarkLocale/zh_CN`,
  `${safari} DingTalk/7.0`,
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; Baiduspider/2.0)",
  "meta-externalagent/1.1",
  "",
])("%j gets the destination of the link", (agent) => {
  expect(isPreviewCrawler(agent)).toBe(false);
});
