/** The secrets of a webhook, sealed for its row: its own, or the signing secret of a chat, "" without one. */
import { randomBytes } from "node:crypto";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";
import { newSecretText } from "./bodies.ts";
import { type EditWebhook, isChat, type WebhookFormat } from "./schema.ts";
import type { WebhookRow } from "./store.ts";

const purpose = "webhooks";
const secretBytes = 24;

export const webhookColumn: SealedColumn = {
  table: "webhook",
  column: "sealed",
  key: ["pk"],
  purpose,
  binding: "id",
};

interface Secrets {
  current: string;
  previous: string | null;
}

export function sealSecrets(id: string, { current, previous }: Secrets): Buffer {
  return seal(purpose, Buffer.from(JSON.stringify([current, previous])), id);
}

export function unsealSecrets({ id, sealed }: Pick<WebhookRow, "id" | "sealed">): Secrets {
  const [current, previous]: [string, string | null] = JSON.parse(
    unseal(purpose, sealed, id).toString(),
  );
  return { current, previous };
}

/** The secrets that requests are signed with now, the newest first. */
export function secretsOf(row: WebhookRow, now: Date): string[] {
  const { current, previous } = unsealSecrets(row);
  // defence: replaced-webhook-secret-ends
  const isBoth = previous !== null && row.previous_until !== null && row.previous_until > now;
  return isBoth ? [current, previous] : [current];
}

export function newSecret(): string {
  return newSecretText(randomBytes(secretBytes));
}

/** The URL of a chat proves who may write there: others see its server only. */
export function shownUrl(format: WebhookFormat, url: string): string {
  // defence: chat-url-masked
  return isChat(format) ? `${new URL(url).origin}/…` : url;
}

/** The secrets after a change. A program that becomes a chat, or the other way round, keeps none. */
export function changedSecrets(
  before: WebhookRow,
  { format = before.format, signingSecret }: EditWebhook,
): Pick<WebhookRow, "sealed" | "previous_until"> {
  const isOther = format !== before.format && (isChat(format) || isChat(before.format));
  if (!isOther && signingSecret === undefined) {
    return { sealed: before.sealed, previous_until: before.previous_until };
  }
  const current = isChat(format) ? (signingSecret ?? "") : newSecret();
  return { sealed: sealSecrets(before.id, { current, previous: null }), previous_until: null };
}
