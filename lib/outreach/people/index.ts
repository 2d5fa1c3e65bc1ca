/** Encrypted phones and columns of recipients. Without people.view, phones are masked. */

import { maskPhone } from "#lib/platform/phones";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { PeopleKeys, SealedValue } from "#lib/tenancy/people-keys";

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

export function shownPhone(scope: WorkspaceScope, phone: string): string {
  // defence: phones-masked
  return seesPeople(scope) ? phone : maskPhone(phone);
}

export function hidePhone(phone: string): string {
  return phone.includes("*") ? phone : maskPhone(phone);
}

export function seesPeople(scope: WorkspaceScope): boolean {
  return scope.permissions.has("people.view");
}
