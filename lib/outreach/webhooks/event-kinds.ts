/**
 * What webhooks are told about each event: the links in its data, a sample, and what a message to a chat says. The names
 * and what the dashboard shows are in `tenancy/webhook-events/schema`.
 */

import { newId, newUuid, presentId } from "#lib/basics/ids";
import type { Link } from "#lib/links/fields/schema";
import { appLabel } from "#lib/platform/request-info/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { WebhookEventType } from "#lib/tenancy/webhook-events/schema";
import type { EventData, WebhookFilter } from "./bodies.ts";
import {
  type ChatItem,
  clickedItems,
  linkItems,
  nameOf,
  plainText,
  type Wording,
} from "./chat-items.ts";
import { type Counted, clicksText } from "./chat-texts.ts";
import {
  type Sample,
  sampleAlarm,
  sampleCampaign,
  sampleClicked,
  sampleContact,
  sampleConversion,
  sampleDomain,
  sampleSale,
  startSample,
} from "./samples.ts";

interface EventKind {
  /** Undefined: it matches whatever filters say of links. */
  linksIn?: (data: EventData) => readonly Link[];
  /** What of its data is about links that a webhook wants, where an event has many. */
  narrow?: (data: EventData, wants: (link: Link) => boolean) => object;
  sample: (sample: Sample) => object;
  /** How many there are: links, clicks, imports and so on. */
  head: Counted;
  items: (events: readonly EventData[], wording: Wording) => readonly ChatItem[];
  /** The number of the head, where it is not that of the items. */
  count?: (events: readonly EventData[]) => number;
}

const ofLink = ({ link }: EventData): readonly Link[] => [link];

const each =
  (itemOf: (data: EventData, wording: Wording) => ChatItem): EventKind["items"] =>
  (events, wording) =>
    events.map((data) => itemOf(data, wording));

/** The link itself. */
const aLink = {
  linksIn: (data: EventData) => [data],
  sample: ({ link }: Sample) => link,
  items: linkItems,
};

/** Clicks are counted by their links; the head has the number of clicks. */
const clicksBy = (linksIn: (data: EventData) => readonly Link[]) => ({
  linksIn,
  head: clicksText,
  items: (events: readonly EventData[], wording: Wording) =>
    clickedItems(events.flatMap(linksIn), wording),
  count: (events: readonly EventData[]) => events.flatMap(linksIn).length,
});

const aConversion = {
  linksIn: ofLink,
  items: each(({ link, sale }, { texts, base }) => ({
    name: nameOf(link),
    href: `${base}/links/${link.id}`,
    fact: sale ? texts.amount(sale.amount, sale.currency) : "",
  })),
};

const aDomain = {
  sample: sampleDomain,
  items: each(({ domain }, { base }) => ({
    name: plainText(String(domain)),
    href: `${base}/domains`,
    fact: "",
  })),
};

const anAlarm = {
  items: each(({ domain, app }, { base, language }) => ({
    name: plainText(String(domain)),
    href: `${base}/domains/${domain}`,
    fact: appLabel(app, language),
  })),
};

/** People who are not named. */
const unnamed = { items: () => [], count: (events: readonly EventData[]) => events.length };

export const eventKinds: Readonly<Record<WebhookEventType, EventKind>> = {
  "link.created": {
    ...aLink,
    head: ["Link created", "links created", "创建了 # 条链接"],
  },
  "link.updated": {
    ...aLink,
    head: ["Link updated", "links updated", "修改了 # 条链接"],
  },
  "link.deleted": {
    ...aLink,
    head: ["Link deleted", "links deleted", "删除了 # 条链接"],
    // They have no page anymore.
    items: (events, wording) => linkItems(events, wording).map((item) => ({ ...item, href: null })),
  },
  "link.clicked": { ...clicksBy(ofLink), sample: sampleClicked },
  "link.clicks": {
    ...clicksBy(({ clicks }) => clicks.flatMap(ofLink)),
    narrow: ({ clicks }, wants) => ({
      clicks: clicks.filter(({ link }: { link: Link }) => wants(link)),
    }),
    sample: (sample) => ({ clicks: [sampleClicked(sample)] }),
  },
  "lead.created": {
    ...aConversion,
    head: ["1 lead", "leads", "# 条新线索"],
    sample: ({ link }) => ({ eventName: "Sign up", ...sampleConversion(link) }),
  },
  "sale.created": {
    ...aConversion,
    head: ["1 sale", "sales", "# 笔销售"],
    sample: ({ link }) => {
      return { eventName: "Purchase", ...sampleConversion(link), sale: sampleSale() };
    },
  },
  "contact.created": {
    ...aConversion,
    head: ["1 contact", "contacts", "# 位新联系人"],
    sample: sampleContact,
  },
  "contact.updated": {
    ...aConversion,
    head: ["1 contact was updated", "contacts were updated", "# 位联系人的信息有更新"],
    sample: (sample) => ({ ...sampleContact(sample), merged: null }),
  },
  "contact.erased": {
    ...unnamed,
    head: ["1 contact was erased", "contacts were erased", "# 位联系人的信息已删除"],
    sample: () => ({ contact: { id: presentId("con", newUuid()) } }),
  },
  "import.finished": {
    head: ["Import finished", "imports finished", "# 个导入已完成"],
    sample: () => {
      const counts = { rows: 3, created: 2, refused: 1 };
      return { id: newId("imp"), name: "links.csv", state: "done", ...counts };
    },
    items: each(({ id, name, state, created, refused }, { texts, base }) => ({
      name: plainText(String(name)),
      href: `${base}/imports/${id}`,
      fact: texts.import({ failed: state === "failed", created, refused }),
    })),
  },
  "campaign.clicked": {
    ...clicksBy(ofLink),
    sample: (sample) => ({
      campaign: sampleCampaign(),
      recipient: { id: presentId("rcp", newUuid()), messageId: "order-1" },
      ...sampleClicked(sample),
    }),
  },
  "campaign.finished": {
    head: ["Campaign finished", "campaigns finished", "# 个营销活动已发送完毕"],
    sample: sampleCampaign,
    items: each(({ id, name }, { base }) => ({
      name: plainText(String(name)),
      href: `${base}/campaigns/${id}/report`,
      fact: "",
    })),
  },
  "recipient.opted_out": {
    ...unnamed,
    head: ["1 recipient opted out", "recipients opted out", "# 位收件人退订"],
    sample: () => {
      return { id: newId("opt"), messages: [{ campaignId: newId("camp"), messageId: "order-1" }] };
    },
  },
  "domain.verified": {
    ...aDomain,
    head: ["Domain verified", "domains verified", "# 个域名已通过验证"],
  },
  "domain.failing": {
    ...aDomain,
    head: [
      "DNS records of a domain are missing",
      "domains with missing DNS records",
      "# 个域名缺少 DNS 记录",
    ],
  },
  "domain.blocked": {
    ...anAlarm,
    head: [
      "An app seems to block a domain",
      "domains that apps seem to block",
      "# 个域名可能被应用拦截",
    ],
    sample: () => ({ ...sampleDomain(), ...sampleAlarm() }),
  },
  "domain.unblocked": {
    ...anAlarm,
    head: [
      "A domain no longer seems blocked",
      "domains that no longer seem blocked",
      "# 个域名的访问已恢复",
    ],
    sample: () => ({ ...sampleDomain(), app: "wechat" }),
  },
};

/** An event to try a webhook with, about a link that the webhook gets events of. */
export function sampleOf(
  scope: WorkspaceScope,
  type: WebhookEventType,
  filter: (WebhookFilter & { people: boolean }) | undefined,
): object {
  return eventKinds[type].sample(startSample(scope, filter));
}
