/** The messages of refused destinations, and of entries and sources that are not accepted. */
import type { ListProblemCode } from "#lib/links/destination-lists/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { FormFailure } from "../components/forms/form.tsx";

export const destinationMessages: Readonly<Record<ListProblemCode, ErrorMessageKey>> = {
  source_unreachable: "sourceUnreachable",
  source_status: "sourceStatus",
  source_unreadable: "sourceUnreadable",
  source_large: "sourceLarge",
  source_long: "sourceLong",
  source_json: "sourceJson",
  source_form: "sourceForm",
  source_insecure: "sourceInsecure",
  entries_full: "entriesFull",
  entry_empty: "entryEmpty",
  entry_long: "entryLong",
  entry_scheme: "entryScheme",
  entry_port: "entryPort",
  entry_query: "entryQuery",
  entry_wildcard: "entryWildcard",
  entry_host: "entryHost",
};

type Details = Readonly<Record<string, string | number>>;

/** The message of a destination that a list refuses, with the host and the owner of the list. */
export function refusalOf(details: Details = {}): { key: ErrorMessageKey; values: Details } {
  const key = details["list"] === "block" ? "destinationBlocked" : "destinationNotAllowed";
  return { key, values: details };
}

/** The same as the error of a field. */
export function refusedField(field: string, details: Details | undefined): FormFailure {
  const { key, values } = refusalOf(details);
  return { ok: false, fields: { [field]: key }, values };
}

/** The error of a link above the limit of new workspaces. */
export function firstLinksUsedUp(values: Details = {}): FormFailure {
  return { ok: false, form: "firstLinksUsedUp", values };
}

/** The message of a stored problem; undefined for one of another version. */
export function problemKeyOf(code: string): ErrorMessageKey | undefined {
  return new Map<string, ErrorMessageKey>(Object.entries(destinationMessages)).get(code);
}
