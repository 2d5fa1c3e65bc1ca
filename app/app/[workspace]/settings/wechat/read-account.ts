/** The form of a WeChat account as the body of the API. */
import type { ZodType, z } from "zod";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { ParsedForm } from "../../../../form-data.ts";

const messages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "gatewayName",
  appId: "wechatAppId",
  secret: "wechatSecret",
};

export function readAccount<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  // Of an edited account, a secret that was left empty stays as it is.
  const given = [...data].filter(([name, value]) => !(name === "secret" && value === ""));
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields = parsed.error.issues.map(
    ({ path: [field = "name"] }): [string, ErrorMessageKey] => [
      String(field),
      messages[String(field)] ?? "unknown",
    ],
  );
  return { ok: false, fields: Object.fromEntries(fields) };
}
