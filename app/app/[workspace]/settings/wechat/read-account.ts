/** The form of a WeChat account as the body of the API. */
import type { ZodType, z } from "zod";
import { byField, type ParsedForm, parseBody } from "../../../../form-data.ts";

const messages = { name: "gatewayName", appId: "wechatAppId", secret: "wechatSecret" } as const;

export function readAccount<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  // Of an edited account, a secret that was left empty stays as it is.
  const given = [...data].filter(([name, value]) => !(name === "secret" && value === ""));
  return parseBody(Object.fromEntries(given), schema, byField(messages));
}
