/** The form of a domain of an official account as the body of the API. */
import { type NewWechatDomain, putWechatDomainBody } from "#lib/audience/wechat-domains/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { ParsedForm } from "../../../../form-data.ts";

/** By the path of an issue: the field of the form, and its message. */
const fields: Readonly<Record<string, [field: string, message: ErrorMessageKey]>> = {
  "file.name": ["fileName", "wechatFileName"],
  "file.content": ["fileContent", "wechatFileContent"],
};

export function readDomain(data: FormData): ParsedForm<{ host: string; body: NewWechatDomain }> {
  const [name, content] = [data.get("fileName") ?? "", data.get("fileContent") ?? ""];
  const file = name === "" && content === "" ? null : { name, content };
  const host = data.get("slug");
  if (typeof host !== "string" || host === "") {
    return { ok: false, fields: { slug: "wechatDomain" } };
  }
  const callback = data.get("callback") === "1";
  const accountId = data.get("accountId");
  const parsed = putWechatDomainBody.safeParse({ accountId, file, callback });
  if (parsed.success) return { ok: true, value: { host, body: parsed.data } };
  const issues = parsed.error.issues.map(
    ({ path }) => fields[path.join(".")] ?? ["slug", "unknown"],
  );
  return { ok: false, fields: Object.fromEntries(issues) };
}
