/** The words of messages to chats. Numbers are formatted already where a text takes both. */
import { minorDigits } from "#lib/platform/currencies/schema";
import type { Locale } from "#lib/platform/messages/schema";
import type { WebhookEventType } from "#lib/tenancy/webhook-events/schema";

export interface ImportResult {
  failed: boolean;
  /** Links. */
  created: number;
  /** Rows. */
  refused: number;
}

export interface ChatTexts {
  /** How many there are of an event: links, clicks, imports and so on. */
  heads: Record<WebhookEventType, (count: number) => string>;
  clicks: (count: number) => string;
  /** In minor units of the currency. */
  amount: (amount: number, currency: string) => string;
  import: (result: ImportResult) => string;
  more: (count: number) => string;
}

const number = (locale: Locale) => (count: number) => new Intl.NumberFormat(locale).format(count);

const money = (locale: Locale) => (amount: number, currency: string) =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    amount / 10 ** (minorDigits(currency) ?? 0),
  );

function inEnglish(): ChatTexts {
  const shown = number("en");
  const counted = (one: string, many: string) => (count: number) =>
    count === 1 ? one : `${shown(count)} ${many}`;
  const clicks = counted("1 click", "clicks");
  const ending = (one: string, many: string, rest: string) => (count: number) =>
    `${shown(count)} ${count === 1 ? one : many} ${rest}`;
  return {
    heads: {
      "link.created": counted("Link created", "links created"),
      "link.updated": counted("Link updated", "links updated"),
      "link.deleted": counted("Link deleted", "links deleted"),
      "link.clicked": clicks,
      "link.clicks": clicks,
      "lead.created": counted("1 lead", "leads"),
      "sale.created": counted("1 sale", "sales"),
      "contact.created": counted("1 contact", "contacts"),
      "contact.updated": counted("1 contact was updated", "contacts were updated"),
      "contact.erased": counted("1 contact was erased", "contacts were erased"),
      "import.finished": counted("Import finished", "imports finished"),
      "campaign.clicked": clicks,
      "campaign.finished": counted("Campaign finished", "campaigns finished"),
      "recipient.opted_out": counted("1 recipient opted out", "recipients opted out"),
      "domain.verified": counted("Domain verified", "domains verified"),
      "domain.failing": counted(
        "DNS records of a domain are missing",
        "domains with missing DNS records",
      ),
      "domain.blocked": counted(
        "An app seems to block a domain",
        "domains that apps seem to block",
      ),
      "domain.unblocked": counted(
        "A domain no longer seems blocked",
        "domains that no longer seem blocked",
      ),
    },
    clicks,
    amount: money("en"),
    import: ({ failed, created, refused }) => {
      const links = ending("link", "links", "created")(created);
      const rows = ending("row", "rows", "refused")(refused);
      return `${failed ? "failed, " : ""}${links}, ${rows}`;
    },
    more: (count) => `and ${shown(count)} more`,
  };
}

function inChinese(): ChatTexts {
  const shown = number("zh");
  const clicks = (count: number) => `${shown(count)} 次点击`;
  return {
    heads: {
      "link.created": (count) => `创建了 ${shown(count)} 条链接`,
      "link.updated": (count) => `修改了 ${shown(count)} 条链接`,
      "link.deleted": (count) => `删除了 ${shown(count)} 条链接`,
      "link.clicked": clicks,
      "link.clicks": clicks,
      "lead.created": (count) => `${shown(count)} 条新线索`,
      "sale.created": (count) => `${shown(count)} 笔销售`,
      "contact.created": (count) => `${shown(count)} 位新联系人`,
      "contact.updated": (count) => `${shown(count)} 位联系人的信息有更新`,
      "contact.erased": (count) => `${shown(count)} 位联系人的信息已删除`,
      "import.finished": (count) => `${shown(count)} 个导入已完成`,
      "campaign.clicked": clicks,
      "campaign.finished": (count) => `${shown(count)} 个营销活动已发送完毕`,
      "recipient.opted_out": (count) => `${shown(count)} 位收件人退订`,
      "domain.verified": (count) => `${shown(count)} 个域名已通过验证`,
      "domain.failing": (count) => `${shown(count)} 个域名缺少 DNS 记录`,
      "domain.blocked": (count) => `${shown(count)} 个域名可能被应用拦截`,
      "domain.unblocked": (count) => `${shown(count)} 个域名的访问已恢复`,
    },
    clicks,
    amount: money("zh"),
    import: ({ failed, created, refused }) =>
      `${failed ? "失败，" : ""}创建 ${shown(created)} 条链接，${shown(refused)} 行未导入`,
    more: (count) => `另有 ${shown(count)} 项`,
  };
}

export const chatTexts: Readonly<Record<Locale, ChatTexts>> = {
  en: inEnglish(),
  zh: inChinese(),
};
