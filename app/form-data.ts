import type { ZodType, z } from "zod";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";

export type ParsedForm<T> =
  | { ok: true; value: T }
  | { ok: false; fields: Readonly<Record<string, ErrorMessageKey>> };

/**
 * Validates a form with its schema. An empty field counts as absent. `messages` has the message of each field, because the
 * schema's own are English.
 */
export function parseForm<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
  messages: Readonly<Record<string, ErrorMessageKey>>,
): ParsedForm<z.output<Schema>> {
  const given = [...data].filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return { ok: true, value: parsed.data };
  const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const fields = [...names].map((name): [string, ErrorMessageKey] => [
    name,
    messages[name] ?? "unknown",
  ]);
  return { ok: false, fields: Object.fromEntries(fields) };
}
