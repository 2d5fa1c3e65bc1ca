import type { Customer } from "#lib/analytics/customers/schema";

/** What a customer is called: by people who may not see their data, its id. */
export function customerName({ name, email, externalId }: Customer): string {
  return name || email || externalId;
}
