/** The form of a webhook, which sends the body of the API as JSON. An error belongs to a field of the form. */
import type { ZodType, z } from "zod";
import { byField, type ParsedForm, parseJsonField } from "../../../../form-data.ts";

const messages = {
  name: "webhookName",
  url: "urlInvalid",
  events: "webhookEvents",
  signingSecret: "tooLong",
  domains: "webhookFilter",
  folderIds: "webhookFilter",
  tagIds: "webhookFilter",
} as const;

export function readWebhook<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  return parseJsonField(data.get("webhook"), schema, byField(messages));
}
