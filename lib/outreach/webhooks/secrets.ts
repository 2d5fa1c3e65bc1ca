/** The secrets of a webhook, sealed for its row. */
import { randomBytes } from "node:crypto";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";
import { newSecretText } from "./bodies.ts";
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
  const isBoth = previous !== null && row.previous_until !== null && row.previous_until > now;
  return isBoth ? [current, previous] : [current];
}

export function newSecret(): string {
  return newSecretText(randomBytes(secretBytes));
}
