/** What is posted to a webhook, and which events it gets. Bodies never change: receivers compare them between attempts. */
import { createHmac } from "node:crypto";
import type { Link } from "#lib/links/fields/schema";
import type { ProgramFormat } from "./schema.ts";

export interface EventRow {
  pk: number;
  id: string;
  type: string;
  link_id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own shape
  data: any;
  at: Date;
}

/** Which events a webhook gets; empty lists: all. */
export interface WebhookFilter {
  id: string;
  events: string[];
  domains: string[];
  folder_ids: string[];
  tag_ids: string[];
  chosen_links: boolean;
}

function matchesLink(filter: WebhookFilter, link: Link): boolean {
  const { domains, folder_ids: folders, tag_ids: tags } = filter;
  return (
    (domains.length === 0 || domains.includes(link.domain)) &&
    (folders.length === 0 || folders.includes(link.folderId ?? "")) &&
    (tags.length === 0 || (link.tags ?? []).some(({ id }) => tags.includes(id))) &&
    (!filter.chosen_links || link.webhookIds.includes(filter.id))
  );
}

/** Their data has a link. */
const aboutLinks = [
  "link.clicked",
  "campaign.clicked",
  "lead.created",
  "sale.created",
  "contact.created",
  "contact.updated",
];

/** Events that are not about links match whatever the filters say of links. */
export function matches(
  filter: WebhookFilter,
  { type, data }: Pick<EventRow, "type" | "data">,
): boolean {
  if (!filter.events.includes(type)) return false;
  if (type === "link.clicks") return clicksFor(filter, data).length > 0;
  if (aboutLinks.includes(type)) {
    return matchesLink(filter, data.link);
  }
  return type.startsWith("link.") ? matchesLink(filter, data) : true;
}

function clicksFor(filter: WebhookFilter, data: { clicks: { link: Link }[] }) {
  return data.clicks.filter(({ link }) => matchesLink(filter, link));
}

/** The links of an event about clicks that a webhook gets, once for each click. */
export function linksOf(filter: WebhookFilter, { type, data }: EventRow): Link[] {
  const clicks: { link: Link }[] = type === "link.clicks" ? clicksFor(filter, data) : [data];
  return clicks.map(({ link }) => link);
}

export function bodyOf(filter: WebhookFilter, format: ProgramFormat, event: EventRow): string {
  const { id, type, at } = event;
  const data = type === "link.clicks" ? { clicks: clicksFor(filter, event.data) } : event.data;
  const time = at.toISOString();
  return format === "dub"
    ? JSON.stringify({ id, event: type, createdAt: time, data })
    : JSON.stringify({ type, timestamp: time, data });
}

const secretPrefix = "whsec_";

/** Signed with the current secret, and while it is replaced with the previous one too. */
export function headersOf(
  format: ProgramFormat,
  secrets: readonly string[],
  { id, body, seconds }: { id: string; body: string; seconds: number },
): Record<string, string> {
  const head = { "content-type": "application/json", "webhook-id": id };
  const timed = { ...head, "webhook-timestamp": String(seconds) };
  if (format === "dub") {
    const [secret = ""] = secrets;
    return { ...timed, "dub-signature": createHmac("sha256", secret).update(body).digest("hex") };
  }
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
    // defence: webhook-signature
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return { ...timed, "webhook-signature": signatures.join(" ") };
}

export function newSecretText(random: Buffer): string {
  return `${secretPrefix}${random.toString("base64")}`;
}
