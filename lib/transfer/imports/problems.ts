/** Codes and English messages. Message files have the same codes under `imports.said`. */
import type { RowFailure } from "#lib/links/creating";
import { AppError, type ErrorCode, type ErrorProblem } from "#lib/platform/errors";
import { fillMessage, tableMessages } from "#lib/platform/tables";
import { issueOf } from "./fields.ts";

/** Parameters replace the text in braces. */
export const messages = {
  ...tableMessages,
  file_of_heading: "The file has a header but no rows. Add rows below the header.",
  no_room:
    "A workspace can keep up to {imports} imports, with up to {gigabytes} GB of files. Delete an import and try again.",
  instance_full:
    "This instance stores import files of up to {gigabytes} GB, and there is no room for this one. Contact your administrator and try again later.",
  no_url_column:
    "No column is mapped to the destination. Choose the column that contains the URLs.",
  dub_forwarding:
    "This is an export from Dub, which forwards the query parameters of visits. This workspace has no links yet, so starting the import turns on “Forward query parameters” in its settings.",
  slug_unmapped:
    'No column is mapped to the slug, although "{column}" seems to contain it. Every link would get a random slug.',
  heading_too_long:
    "The header of column {column} has more than {max} characters. If the first row is data, turn off the header option.",
  heading_alone: "The file has only one row, so it can’t be the header.",
  field_twice: 'Two columns are mapped to "{field}". Map each field to one column only.',
  starter_gone:
    "The person who started this import left the workspace or can no longer create links.",
  worker_died: "The import stopped unexpectedly several times. Contact your administrator.",
  file_gone: "The file no longer exists. Upload it again.",
} as const;
export type ProblemCode = keyof typeof messages;

/** The possible problems of a row, with the parameters of their messages. */
export const rowParams: Record<RowFailure["code"], readonly string[]> = {
  row_invalid: ["field", "issue", "max"],
  key_taken: ["key"],
  key_invalid: ["key"],
  keys_used_up: [],
  already_imported: ["link"],
  external_id_taken: ["externalId"],
  domain_unknown: ["domain"],
  domain_skipped: ["domain"],
  url_loops: [],
  destination_refused: ["host", "list", "owner"],
  tag_unknown: ["tag"],
  tags_too_many: [],
  logo_unknown: ["logo"],
  form_unknown: ["form"],
  webhook_unknown: ["webhook"],
  folder_unknown: ["folder"],
  folder_forbidden: ["folder"],
  root_link: ["domain"],
  url_missing: [],
  dates_crossed: [],
  frame_forbidden: ["host"],
  quota_used_up: [],
  first_links_used_up: ["max", "hours"],
  plan_limit: ["capability", "plan", "needed"],
  repeat_differs: [],
  jobs_waiting: [],
  changed_meanwhile: [],
  unavailable: [],
  failed: [],
};

export interface ImportProblem {
  message: string;
  problem: ErrorProblem;
}

export function importProblem(
  code: ProblemCode,
  params: ErrorProblem["params"] = {},
): ImportProblem {
  const message = fillMessage(messages[code], params);
  return { message, problem: { code, params } };
}

export function importError(
  problem: ProblemCode,
  params: ErrorProblem["params"] = {},
  code: ErrorCode = "unprocessable_entity",
  retryAfterSeconds?: number,
): AppError {
  return asImportError(importProblem(problem, params), code, retryAfterSeconds);
}

export function asImportError(
  { message, problem }: ImportProblem,
  code: ErrorCode = "unprocessable_entity",
  retryAfterSeconds?: number,
): AppError {
  return new AppError(code, message, {
    retryAfterSeconds,
    problem: problem.code,
    params: problem.params,
  });
}

/** Values of the message come from the body. Long ones are truncated. */
export function rowProblem(
  failure: RowFailure,
  body: Readonly<Record<string, unknown>>,
): ImportProblem {
  const { code, message, details = {} } = failure;
  const named: Record<string, unknown> = { ...body, folder: body["folderId"], ...details };
  if (details["issue"] === "wrong") named["issue"] = issueOf(String(details["field"]));
  const params = Object.fromEntries(
    rowParams[code].map((name) => [name, String(named[name] ?? "").slice(0, paramCharsMax)]),
  );
  return { message, problem: { code, params } };
}

const paramCharsMax = 200;
