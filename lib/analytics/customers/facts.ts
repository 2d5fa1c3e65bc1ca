/** What is known about a person, and its encryption: bound to the id of the customer. */
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import type { CustomerRow } from "./store.ts";

/** What is encrypted. */
export interface CustomerFacts {
  externalId: string;
  name: string | null;
  email: string | null;
  avatar: string | null;
}

export function sealFacts(keys: PeopleKeys, facts: CustomerFacts, id: string): Buffer {
  const { externalId, name, email, avatar } = facts;
  return keys.seal(JSON.stringify([externalId, name, email, avatar]), id);
}

export function unsealFacts(keys: PeopleKeys, { id, key_version: version, sealed }: CustomerRow) {
  const [externalId, name, email, avatar]: [string, string | null, string | null, string | null] =
    JSON.parse(keys.unseal({ version, sealed }, id));
  return { externalId, name, email, avatar } satisfies CustomerFacts;
}
