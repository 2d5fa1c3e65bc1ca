/** The secrets of a webhook, sealed for its row. For a chat: its signing secret, or "". */
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

export function secretsOf(row: WebhookRow, now: Date): string[] {
  const { current, previous } = unsealSecrets(row);
  // defence: replaced-webhook-secret-ends
  const isBoth = previous !== null && row.previous_until !== null && row.previous_until > now;
  return isBoth ? [current, previous] : [current];
}

export function newSecret(): string {
  return newSecretText(randomBytes(secretBytes));
}

/** The URL of a chat lets anyone write there, so others only see its server. */
export function shownUrl(format: WebhookFormat, url: string): string {
  // defence: chat-url-masked
  return isChat(format) ? `${new URL(url).origin}/…` : url;
}

/** Keeps no secret if the format changes between a program and a chat. */
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
