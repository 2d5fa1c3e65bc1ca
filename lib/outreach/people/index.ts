/**
 * People who get messages: their phones, and what a workspace knows about them, encrypted with its keys.
 *
 * Only who may see people's data (`people.view`) reads more than a masked phone.
 */

import { maskPhone } from "#lib/platform/phones";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { PeopleKeys, SealedValue } from "#lib/tenancy/people-keys";

/** What is stored about a recipient. */
export interface Person {
  phone: string;
  columns: Record<string, string>;
}

export function sealPerson(keys: PeopleKeys, person: Person, boundTo: string): Buffer {
  return keys.seal(JSON.stringify([person.phone, person.columns]), boundTo);
}

export function unsealPerson(keys: PeopleKeys, value: SealedValue, boundTo: string): Person {
  const [phone, columns]: [string, Record<string, string>] = JSON.parse(
    keys.unseal(value, boundTo),
  );
  return { phone, columns };
}

/** The phone as this actor may see it. */
export function shownPhone(scope: WorkspaceScope, phone: string): string {
  // defence: phones-masked
  return seesPeople(scope) ? phone : maskPhone(phone);
}

/** A phone that may be masked already, masked. */
export function hidePhone(phone: string): string {
  return phone.includes("*") ? phone : maskPhone(phone);
}

export function seesPeople(scope: WorkspaceScope): boolean {
  return scope.permissions.has("people.view");
}
