import type { Customer } from "#lib/analytics/customers/schema";

/** The name of a customer, or the id if the person may not see personal data. */
export function customerName({ name, email, externalId }: Customer): string {
  return name || email || externalId;
}
