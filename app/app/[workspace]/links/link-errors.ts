import type { FormFailure } from "#components/forms/form";
import { namesIn } from "#lib/basics/variants/schema";
import type { LinkOutcome } from "#lib/links/creating";
import type { ErrorProblem } from "#lib/platform/errors";
import { firstLinksUsedUp, refusedBy, refusedField } from "../../../refusals.ts";

type Failure = Extract<LinkOutcome, { ok: false }>;
type LinkFailure = Pick<Failure, "code" | "details">;

/** The field of each failure. Failures without one belong to the whole form. */
const fieldsOf = {
  key_taken: "key",
  key_invalid: "key",
  keys_used_up: "keyLength",
  domain_unknown: "domain",
  root_link: "key",
  url_missing: "url",
  url_loops: "url",
  tag_unknown: "tagIds",
  tags_too_many: "tagIds",
  folder_unknown: "folderId",
  folder_forbidden: "folderId",
  external_id_taken: "externalId",
  dates_crossed: ["expiresAt", "testCompletedAt"],
  frame_forbidden: "domain",
  quota_used_up: [],
  plan_limit: [],
  logo_unknown: [],
  already_imported: [],
  form_unknown: "formId",
  webhook_unknown: "webhookIds",
  changed_meanwhile: [],
  repeat_differs: [],
  jobs_waiting: [],
  destination_refused: "url",
  first_links_used_up: [],
} as const satisfies Record<Failure["code"], string | readonly string[]>;

export function errorAnswer({ code, details }: LinkFailure): FormFailure {
  switch (code) {
    case "destination_refused":
      return refusedField("url", details);
    case "first_links_used_up":
      return firstLinksUsedUp(details);
    case "already_imported":
    case "repeat_differs":
    case "jobs_waiting":
      // A form never causes these.
      return { ok: false, form: "unknown" };
    default:
      return refusedBy(code, fieldsOf);
  }
}

/** The failure of a link that the error names; undefined if it names none. */
export function linkFailureOf({ code, params }: ErrorProblem): LinkFailure | undefined {
  const known = namesIn(fieldsOf).find((one) => one === code);
  return known && { code: known, details: params };
}
