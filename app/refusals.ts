import type { FormFailure } from "#components/forms/form";
import { camelOf } from "#lib/basics/variants/schema";
import type { ErrorMessageCode, ErrorMessageKey } from "#lib/platform/messages/schema";

type FieldsOfCodes = Readonly<Partial<Record<ErrorMessageCode, string | readonly string[]>>>;

/** Turns a code into an error of the fields it is about, or of the whole form. */
export function refusedBy(code: ErrorMessageCode, fieldsOf: FieldsOfCodes = {}): FormFailure {
  const key = camelOf(code);
  const fields = [fieldsOf[code] ?? []].flat();
  if (fields.length === 0) return { ok: false, form: key };
  return { ok: false, fields: Object.fromEntries(fields.map((field) => [field, key])) };
}

/** A weak password is an error of its field. */
export function passwordField(field: string) {
  return { password_common: field, password_personal: field, password_guessable: field } as const;
}

type Details = Readonly<Record<string, string | number>>;

/** The message for a destination that a list refuses, with the host and the owner of the list. */
export function refusalOf(details: Details = {}): { key: ErrorMessageKey; values: Details } {
  const key = details["list"] === "block" ? "destinationBlocked" : "destinationNotAllowed";
  return { key, values: details };
}

export function refusedField(field: string, details: Details | undefined): FormFailure {
  const { key, values } = refusalOf(details);
  return { ok: false, fields: { [field]: key }, values };
}

/** The error for a link beyond the limit of new workspaces. */
export function firstLinksUsedUp(values: Details = {}): FormFailure {
  return { ok: false, form: "firstLinksUsedUp", values };
}
