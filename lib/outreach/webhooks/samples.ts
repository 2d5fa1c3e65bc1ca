/** The parts of events to try a webhook with: of the shape that real ones have, about a link that does not exist. */

import { newId, newUuid, presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { plainColumns } from "#lib/links/link-columns/schema";
import { presentLink } from "#lib/links/presenting";
import { config } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { WebhookFilter } from "./bodies.ts";

export interface Sample {
  /** One that the webhook gets events of. */
  link: ReturnType<typeof sampleLink>;
  /** Whether the webhook gets what contacts entered. */
  people: boolean;
}

export function startSample(
  scope: WorkspaceScope,
  filter: (WebhookFilter & { people: boolean }) | undefined,
): Sample {
  const link = { ...sampleLink(scope), ...(filter && chosenBy(filter)) };
  return { link, people: filter?.people === true };
}

export function sampleClicked({ link }: Sample) {
  return { click: sampleClick(link.url), link, first: true };
}

export function sampleCampaign() {
  return { id: newId("camp"), name: "Autumn sale" };
}

export function sampleDomain() {
  return { id: newId("dom"), domain: "go.example.com" };
}

export function sampleContact({ link, people }: Sample) {
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

/** WeChat opened the domain until yesterday. */
export function sampleAlarm() {
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

/** What makes a link one of those that the webhook gets events of. */
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

export function sampleSale() {
  const [amount, currency] = [1_580, config().FUXI_CURRENCY];
  const given = { givenAmount: amount, givenCurrency: currency };
  return { amount, currency, paymentProcessor: "custom", invoiceId: "sample", ...given };
}

export function sampleConversion(link: { url: string }) {
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

function sampleLink({ workspaceId, workspacePk }: WorkspaceScope) {
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
  return presentLink(row, { ...place, clicks: 1, lastClickAt: now });
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
