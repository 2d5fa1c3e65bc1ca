import type { Contact } from "#lib/audience/contacts/schema";

export function contactName({ name, phone, email, wechat, id }: Contact): string {
  return name || phone || wechat[0]?.nickname || email || wechat[0]?.openid || id;
}
