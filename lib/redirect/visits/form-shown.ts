/** A form as a visitor sees it: inside WeChat with the WeChat account, elsewhere without. */
import type { FormContent, FormField, ShownForm } from "#lib/links/forms/schema";

// Here, and not in the schema of forms: that loads zod, which visits do without.

export function wechatFieldOf({
  fields,
}: FormContent): Extract<FormField, { type: "wechat" }> | undefined {
  return fields.find((field) => field.type === "wechat");
}

/** Where WeChat is not offered, or not used. */
export function withoutWechat(form: ShownForm): ShownForm {
  if (!wechatFieldOf(form.content)) return form;
  const fields = form.content.fields.filter(({ type }) => type !== "wechat");
  const personal = fields.some(({ type }) => type !== "check");
  return { ...form, content: { ...form.content, fields }, personal };
}
