/** The form of a webhook, which sends the body of the API as JSON. An error belongs to a field of the form. */
import type { ZodType, z } from "zod";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { type ParsedForm, parseJsonField } from "../../../../form-data.ts";

const messages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "webhookName",
  url: "urlInvalid",
  events: "webhookEvents",
  signingSecret: "tooLong",
  domains: "webhookFilter",
  folderIds: "webhookFilter",
  tagIds: "webhookFilter",
};

export function readWebhook<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  return parseJsonField(data.get("webhook"), schema, {
    fieldOf: ([field = ""]) => field,
    messageOf: ([field = ""]) => messages[field] ?? "unknown",
  });
}
