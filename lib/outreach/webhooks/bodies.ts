/** The bodies of requests never change, because receivers compare them between attempts. */
import { createHmac } from "node:crypto";
import type { Link } from "#lib/links/fields/schema";
import { findEventType } from "#lib/tenancy/webhook-events/schema";
import { eventKinds } from "./event-kinds.ts";
import type { ProgramFormat } from "./schema.ts";

// biome-ignore lint/suspicious/noExplicitAny: each type has its own shape
export type EventData = any;

export interface EventRow {
  pk: number;
  id: string;
  type: string;
  link_id: string | null;
  data: EventData;
  at: Date;
}

/** The events that a webhook gets; empty lists mean all. */
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

/** Events that are not about links ignore filters of links. */
export function matches(
  filter: WebhookFilter,
  { type, data }: Pick<EventRow, "type" | "data">,
): boolean {
  if (!filter.events.includes(type)) return false;
  const links = findKind(type)?.linksIn?.(data);
  return links?.some((link) => matchesLink(filter, link)) ?? true;
}

export function narrowed(
  filter: WebhookFilter,
  { type, data }: Pick<EventRow, "type" | "data">,
): EventData {
  return findKind(type)?.narrow?.(data, (link) => matchesLink(filter, link)) ?? data;
}

/** Undefined for an event of another version, which is posted as it is. */
function findKind(type: string) {
  const known = findEventType(type);
  return known && eventKinds[known];
}

export function bodyOf(filter: WebhookFilter, format: ProgramFormat, event: EventRow): string {
  const { id, type, at } = event;
  const data = narrowed(filter, event);
  const time = at.toISOString();
  return format === "dub"
    ? JSON.stringify({ id, event: type, createdAt: time, data })
    : JSON.stringify({ type, timestamp: time, data });
}

const secretPrefix = "whsec_";

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
