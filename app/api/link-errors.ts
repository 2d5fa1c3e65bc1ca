/** The HTTP error of an expected failure of one link; codes not listed here are invalid values. */
import { AppError, type ErrorCode, type ErrorProblem } from "#lib/platform/errors";

const codes: Record<string, ErrorCode> = {
  key_taken: "conflict",
  jobs_waiting: "rate_limit_exceeded",
  keys_used_up: "conflict",
  already_imported: "conflict",
  external_id_taken: "conflict",
  quota_used_up: "forbidden",
  first_links_used_up: "forbidden",
  plan_limit: "forbidden",
  folder_forbidden: "forbidden",
  root_link: "forbidden",
  link_unknown: "not_found",
  folder_unknown: "not_found",
  // Unknown domains and domains of other workspaces get the same error.
  domain_unknown: "forbidden",
  // The errors of a bulk call have no code for an outage.
  unavailable: "internal_server_error",
  failed: "internal_server_error",
};

export function errorCodeOf(failureCode: string): ErrorCode {
  return codes[failureCode] ?? "unprocessable_entity";
}

interface LinkError {
  code: string;
  message: string;
  details?: ErrorProblem["params"];
}

export function asAppError({ code, message, details }: LinkError): AppError {
  const problem = code === "destination_refused" || code === "plan_limit" ? code : undefined;
  return new AppError(errorCodeOf(code), message, { problem, params: details });
}
