/** The kinds of events: the links in their data, samples, and messages to chats. */

import { newId, newUuid, presentId } from "#lib/basics/ids";
import { dayMs, hourMs } from "#lib/basics/time/schema";
import type { Link } from "#lib/links/fields/schema";
import { plainColumns } from "#lib/links/link-columns/schema";
import { presentLink } from "#lib/links/presenting";
import { config } from "#lib/platform/config";
import { appLabel } from "#lib/platform/request-info/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { rulesOf } from "#lib/tenancy/plans";
import type { WebhookEventType } from "#lib/tenancy/webhook-events/schema";
import type { EventData, WebhookFilter } from "./bodies.ts";
import {
  type ChatItem,
  type Counted,
  clickedItems,
  clicksText,
  linkItems,
  nameOf,
  plainText,
  type Wording,
} from "./chat-items.ts";

interface EventKind {
  /** Undefined for events that ignore filters of links. */
  linksIn?: (data: EventData) => readonly Link[];
  /** For events with many links: keeps only the links that a webhook wants. */
  narrow?: (data: EventData, wants: (link: Link) => boolean) => object;
  sample: (sample: Sample) => object;
  head: Counted;
  items: (events: readonly EventData[], wording: Wording) => readonly ChatItem[];
  /** The number in the head, if it is not the number of items. */
  count?: (events: readonly EventData[]) => number;
}

const ofLink = ({ link }: EventData): readonly Link[] => [link];

const each =
  (itemOf: (data: EventData, wording: Wording) => ChatItem): EventKind["items"] =>
  (events, wording) =>
    events.map((data) => itemOf(data, wording));

const aLink = {
  linksIn: (data: EventData) => [data],
  sample: ({ link }: Sample) => link,
  items: linkItems,
};

/** Clicks are grouped by link; the head has the number of clicks. */
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

const aTrafficChange = {
  items: each(({ clicks, usual }, { texts, base }) => ({
    name: texts.counted(clicksText, clicks),
    href: `${base}/analytics`,
    fact: texts.usual(usual),
  })),
};

/** Without items, because they would name people. */
const unnamed = { items: () => [], count: (events: readonly EventData[]) => events.length };

export const eventKinds: Readonly<Record<WebhookEventType, EventKind>> = {
  "link.created": { ...aLink, head: ["Link created", "links created", "创建了 # 条链接"] },
  "link.updated": { ...aLink, head: ["Link updated", "links updated", "修改了 # 条链接"] },
  "link.deleted": {
    ...aLink,
    head: ["Link deleted", "links deleted", "删除了 # 条链接"],
    // Deleted links have no page.
    items: (events, wording) => linkItems(events, wording).map((item) => ({ ...item, href: null })),
  },
  "link.missed": {
    head: ["A missing link is visited", "missing links are visited", "# 条不存在的链接有人访问"],
    sample: () => {
      const day = new Date().toISOString().slice(0, 10);
      return { domain: "go.example.com", key: "sumer-sale", day, visits: 10 };
    },
    items: each(({ domain, key }, { base }) => ({
      name: plainText(`${domain}/${key}`),
      href: `${base}/links/missed`,
      fact: "",
    })),
  },
  "destination.broken": {
    linksIn: ofLink,
    head: ["A destination is broken", "destinations are broken", "# 个目标网址失效"],
    sample: ({ link }) => {
      const { url } = link;
      return { link, destination: { url, host: "example.com", state: "not_found", status: 404 } };
    },
    items: each(({ link, campaign, destination: { host, status } }, { base }) => ({
      name: campaign ? plainText(campaign.name) : nameOf(link),
      href: campaign ? `${base}/campaigns/${campaign.id}` : `${base}/links/${link.id}`,
      fact: plainText(status === null ? host : `${host} (${status})`),
    })),
  },
  "link.clicked": { ...clicksBy(ofLink), sample: sampleClicked },
  "link.clicks": {
    ...clicksBy(({ clicks }) => clicks.flatMap(ofLink)),
    narrow: ({ clicks }, wants) => ({
      clicks: clicks.filter(({ link }: { link: Link }) => wants(link)),
    }),
    sample: (sample) => ({ clicks: [sampleClicked(sample)] }),
  },
  "clicks.rising": {
    ...aTrafficChange,
    head: ["Unusually many clicks", "alerts about many clicks", "点击异常增加"],
    sample: () => sampleTraffic(1_240),
  },
  "clicks.falling": {
    ...aTrafficChange,
    head: ["Unusually few clicks", "alerts about few clicks", "点击异常减少"],
    sample: () => sampleTraffic(12),
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
  "quota.near": {
    head: ["A plan limit is near", "plan limits are near", "# 项套餐用量接近上限"],
    sample: () => ({ quota: "links", percent: 90, used: 900, limit: 1_000 }),
    items: each(({ quota, used, limit }, { base }) => ({
      name: plainText(String(quota)),
      href: `${base}/settings/plan`,
      fact: `${used} / ${limit}`,
    })),
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
  "domain.silent": {
    ...aDomain,
    head: ["A domain doesn’t answer", "domains that don’t answer", "# 个域名没有响应"],
    sample: () => ({ ...sampleDomain(), status: null, since: new Date().toISOString() }),
  },
};

export function sampleOf(
  scope: WorkspaceScope,
  type: WebhookEventType,
  filter: (WebhookFilter & { people: boolean }) | undefined,
): object {
  return eventKinds[type].sample(startSample(scope, filter));
}

interface Sample {
  link: ReturnType<typeof sampleLink>;
  people: boolean;
}

function startSample(
  scope: WorkspaceScope,
  filter: (WebhookFilter & { people: boolean }) | undefined,
): Sample {
  const link = { ...sampleLink(scope), ...(filter && chosenBy(filter)) };
  return { link, people: filter?.people === true };
}

function sampleClicked({ link }: Sample) {
  return { click: sampleClick(link.url), link, first: true };
}

function sampleCampaign() {
  return { id: newId("camp"), name: "Autumn sale" };
}

function sampleDomain() {
  return { id: newId("dom"), domain: "go.example.com" };
}

function sampleContact({ link, people }: Sample) {
  const wechat = {
    ...{ appId: "wx0123456789abcdef", openid: "oSample0123456789abcdefghijk", unionid: null },
    ...{ nickname: "Ada", picture: null, at: new Date().toISOString() },
  };
  const entered = { phone: "+442079460018", email: "ada@example.com", name: "Ada" };
  return {
    contact: {
      id: presentId("con", newUuid()),
      ...(people ? { ...entered, wechat: [wechat] } : {}),
      country: "GB",
      phoneConfirmed: true,
      marketing: false,
      createdAt: new Date().toISOString(),
    },
    form: { id: newId("form"), version: 1 },
    link,
  };
}

function sampleAlarm() {
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  return {
    app: "wechat",
    source: "visits",
    since: yesterday,
    evidence: {
      days: 1,
      visits: 612,
      inApp: 2,
      share: 2 / 612,
      visitsBefore: 940,
      inAppBefore: 331.5,
      shareBefore: 0.352,
      until: yesterday,
      oneIn: 1_000_000,
    },
    appealUrl: "https://weixin110.qq.com",
  };
}

function chosenBy({ id, domains, folder_ids, tag_ids, chosen_links }: WebhookFilter) {
  const [domain] = domains;
  const [folderId] = folder_ids;
  const [tagId] = tag_ids;
  return {
    ...(domain === undefined ? {} : { domain, shortLink: `https://${domain}/sample` }),
    ...(folderId === undefined ? {} : { folderId }),
    ...(tagId === undefined ? {} : { tags: [{ id: tagId, name: "Sample", color: "blue" }] }),
    ...(chosen_links ? { webhookIds: [id] } : {}),
  };
}

function sampleSale() {
  const [amount, currency] = [1_580, config().FUXI_CURRENCY];
  const given = { givenAmount: amount, givenCurrency: currency };
  return { amount, currency, paymentProcessor: "custom", invoiceId: "sample", ...given };
}

function sampleTraffic(clicks: number) {
  const until = Date.now();
  const from = until - 3 * hourMs;
  return {
    ...{ clicks, usual: 310 },
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
  };
}

function sampleConversion(link: { url: string }) {
  const customer = {
    id: newId("cus"),
    externalId: "sample",
    name: null,
    email: null,
    avatar: null,
    country: "DE",
    sales: 0,
    saleAmount: 0,
    createdAt: new Date().toISOString(),
    firstSaleAt: null,
  };
  return { customer, click: sampleClick(link.url), link, metadata: null, verified: true };
}

function sampleLink(scope: WorkspaceScope) {
  const { workspaceId, workspacePk } = scope;
  const now = new Date();
  const own = { pk: 0, id: newUuid(), revision: 0, workspace_pk: workspacePk, domain_pk: 0 };
  const made = { user_pk: 0, api_key_pk: null, created_at: now, updated_at: now };
  const row = {
    ...plainColumns,
    ...own,
    ...made,
    key: "sample",
    alias: true,
    url: "https://example.com/",
  };
  const slug = new URL(config().FUXI_URL).hostname;
  const place = { slug, workspaceId, userId: null, folderId: null, tags: [] };
  const visits = { clicks: 1, scans: 0, lastClickAt: now };
  return presentLink(row, { ...place, ...visits, retirement: rulesOf(scope) });
}

function sampleClick(url: string) {
  return {
    id: `${Date.now()}-${newUuid()}`,
    timestamp: new Date().toISOString(),
    url,
    country: "DE",
    city: "Berlin",
    region: "DE-BE",
    continent: "EU",
    device: "Mobile",
    browser: "Safari",
    os: "iOS",
    ua: null,
    trigger: "link",
    referer: "(direct)",
    refererUrl: "(direct)",
    qr: false,
    ip: "",
  };
}
