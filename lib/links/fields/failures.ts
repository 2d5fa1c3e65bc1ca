export type LinkFailureCode =
  | "already_imported"
  | "external_id_taken"
  | "key_taken"
  | "keys_used_up"
  | "repeat_differs"
  | "quota_used_up"
  | "first_links_used_up"
  | "plan_limit"
  | "jobs_waiting"
  | "key_invalid"
  | "domain_unknown"
  | "url_loops"
  | "destination_refused"
  | "tag_unknown"
  | "folder_unknown"
  | "folder_forbidden"
  | "root_link"
  | "url_missing"
  | "dates_crossed"
  | "tags_too_many"
  | "frame_forbidden"
  | "changed_meanwhile"
  | "logo_unknown"
  | "form_unknown"
  | "webhook_unknown";

export interface LinkFailure {
  ok: false;
  code: LinkFailureCode;
  message: string;
  /** Values of the message that the body does not contain. */
  details?: Readonly<Record<string, string | number>>;
}

export function linkFailure(
  code: LinkFailureCode,
  message: string,
  details?: LinkFailure["details"],
): LinkFailure {
  return { ok: false, code, message, ...(details ? { details } : {}) };
}
