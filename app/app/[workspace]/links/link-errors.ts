/** The messages of links that were refused, by form field. */
import type { LinkOutcome } from "#lib/links/creating";
import type { ErrorProblem } from "#lib/platform/errors";
import type { FormFailure } from "../../../../components/forms/form.tsx";
import { firstLinksUsedUp, refusedField } from "../../../destination-messages.ts";

type Failure = Extract<LinkOutcome, { ok: false }>;
type LinkFailure = Pick<Failure, "code" | "details">;
type FailureCode = Exclude<Failure["code"], "destination_refused" | "first_links_used_up">;

type ErrorAnswer = Omit<FormFailure, "ok">;

const errors: Record<FailureCode, ErrorAnswer> = {
  key_taken: { fields: { key: "keyTaken" } },
  key_invalid: { fields: { key: "keyInvalid" } },
  keys_used_up: { fields: { keyLength: "keysUsedUp" } },
  domain_unknown: { fields: { domain: "domainUnknown" } },
  root_link: { fields: { key: "rootLink" } },
  url_missing: { fields: { url: "urlInvalid" } },
  url_loops: { fields: { url: "urlLoops" } },
  tag_unknown: { fields: { tagIds: "tagUnknown" } },
  tags_too_many: { fields: { tagIds: "tagsTooMany" } },
  folder_unknown: { fields: { folderId: "folderUnknown" } },
  folder_forbidden: { fields: { folderId: "folderForbidden" } },
  external_id_taken: { fields: { externalId: "externalIdTaken" } },
  dates_crossed: { fields: { expiresAt: "datesCrossed", testCompletedAt: "datesCrossed" } },
  frame_forbidden: { fields: { domain: "frameForbidden" } },
  quota_used_up: { form: "quotaUsedUp" },
  plan_limit: { form: "planLimit" },
  logo_unknown: { form: "logoGone" },
  already_imported: { form: "unknown" },
  form_unknown: { fields: { formId: "formGone" } },
  webhook_unknown: { fields: { webhookIds: "webhookGone" } },
  changed_meanwhile: { form: "changedMeanwhile" },
  repeat_differs: { form: "unknown" },
  jobs_waiting: { form: "unknown" },
};

/** The answer to a form whose link was refused. */
export function errorAnswer({ code, details }: LinkFailure): FormFailure {
  if (code === "destination_refused") return refusedField("url", details);
  if (code === "first_links_used_up") return firstLinksUsedUp(details);
  return { ok: false, ...errors[code] };
}

/** The failure of a link with this code, of an error that names one. */
export function linkFailureOf({ code, params }: ErrorProblem): LinkFailure | undefined {
  const known = linkCodes.find((one) => one === code);
  return known && { code: known, details: params };
}

/** Sound because the table has each of them. */
const linkCodes = [
  ...(Object.keys(errors) as FailureCode[]),
  "destination_refused",
  "first_links_used_up",
] as const;
