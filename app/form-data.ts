import type { ZodType, z } from "zod";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { isClean } from "./api/hostile-text.ts";

export type ParsedForm<T> =
  | { ok: true; value: T }
  | { ok: false; fields: Readonly<Record<string, ErrorMessageKey>> };

type Messages = Readonly<Record<string, ErrorMessageKey>>;

/**
 * Validates a form with its schema. An empty field counts as absent. `messages` has the message of each field, because the
 * schema's own are English.
 */
export function parseForm<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
  messages: Messages,
): ParsedForm<z.output<Schema>> {
  const given = [...data].filter(([, value]) => value !== "");
  return parseBody(Object.fromEntries(given), schema, byField(messages));
}

const jsonCharsMax = 500_000;

interface FieldMessages {
  fieldOf: (path: string[]) => string;
  messageOf: (path: string[]) => ErrorMessageKey;
}

const firstOf = ([field = ""]: string[]) => field;

/** For a body that has the same fields as the form. */
export function byField(messages: Messages): FieldMessages {
  return { fieldOf: firstOf, messageOf: (path) => messages[firstOf(path)] ?? "unknown" };
}

/** Validates a form that sends everything as JSON in one field, with the schema of the API. */
export function parseJsonField<Schema extends ZodType>(
  text: unknown,
  schema: Schema,
  fields: FieldMessages,
): ParsedForm<z.output<Schema>> {
  return parseBody(readJson(text), schema, fields);
}

export function parseBody<Schema extends ZodType>(
  body: unknown,
  schema: Schema,
  { fieldOf, messageOf }: FieldMessages,
): ParsedForm<z.output<Schema>> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields: Record<string, ErrorMessageKey> = {};
  for (const issue of parsed.error.issues) {
    const path = issue.path.map(String);
    fields[fieldOf(path)] ??= messageOf(path);
  }
  return { ok: false, fields };
}

/** Undefined for invalid JSON and for texts that cannot be stored. The schema refuses undefined. */
function readJson(text: unknown): unknown {
  if (typeof text !== "string" || text.length > jsonCharsMax) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // defence: form-storable-texts
    return isClean(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
