import type { Customer } from "#lib/analytics/customers/schema";

/** The name of a customer; its id for people who may not see their data. */
export function customerName({ name, email, externalId }: Customer): string {
  return name || email || externalId;
}
