import type { Contact } from "#lib/links/contacts/schema";

/** What a contact is called. */
export function contactName({ name, phone, email, id }: Contact): string {
  return name || phone || email || id;
}
