/**
 * Every problem of a file or a whole import: a stable code and its English message. The dashboard's message files have
 * the same codes under `imports.said`, and the codes of rows too; a test compares them.
 */
import type { RowFailure } from "#lib/links/creating";
import { AppError, type ErrorCode, type ErrorProblem } from "#lib/platform/errors";
import { issueOf } from "./fields.ts";

/** Text in braces is filled in from the parameters. */
export const messages = {
  file_empty: "The file is empty. Upload a file with at least one row.",
  file_of_heading: "The file has a header but no rows. Add rows below the header.",
  file_cut: "The upload was interrupted. Upload the file again.",
  file_stalled:
    "No data arrived for {seconds} seconds. Check your connection and upload the file again.",
  file_too_large: "A file can have up to {megabytes} MB. Split it into smaller files.",
  disk_full:
    "This instance is out of disk space, so the file was not saved. Contact your administrator and try again later.",
  no_room:
    "A workspace can keep up to {imports} imports, with up to {gigabytes} GB of files. Delete an import and try again.",
  instance_full:
    "This instance stores import files of up to {gigabytes} GB, and there is no room for this one. Contact your administrator and try again later.",
  is_archive:
    "This is a ZIP archive without an Excel sheet. Extract it, then upload the CSV or .xlsx file inside.",
  workbook_broken:
    "This Excel workbook (.xlsx) can’t be read. Open it in Excel, save it as CSV UTF-8, then upload that file.",
  workbook_too_large:
    "An Excel workbook can have up to {megabytes} MB. Save it as CSV UTF-8, then upload that file.",
  workbook_unpacked:
    "This Excel workbook unpacks to more than {megabytes} MB. Save it as CSV UTF-8, then upload that file.",
  is_old_workbook:
    "This is a workbook from an older version of Excel (.xls). In Excel, save it as CSV UTF-8, then upload that file.",
  is_pdf: "This is a PDF. Upload the original table as a CSV file.",
  is_picture: "This is an image. Upload the table as a CSV file.",
  is_recording: "This is an image, audio or video file. Upload the table as a CSV file.",
  is_compressed: "This is a compressed file ({kind}). Extract it, then upload the CSV file inside.",
  is_page:
    "This is an HTML or XML page, not a CSV file. In Excel, save it as CSV UTF-8, then upload that file.",
  is_no_text:
    "This is not a text file: it contains NUL bytes. In Excel, save it as CSV UTF-8, then upload that file.",
  encoding_wrong:
    "This file is marked as {encoding} but contains invalid characters. In Excel, save it as CSV UTF-8, then upload that file.",
  too_many_rows: "A file can have up to {max} rows. Split it into smaller files.",
  too_many_columns: "Line {line} has more than {max} columns. Remove the ones you don’t need.",
  cell_too_long:
    "The cell in line {line}, column {column} has more than {max} characters. Shorten it, or remove the column.",
  row_too_long: "The row that starts in line {line} has more than {max} characters. Shorten it.",
  row_too_long_quoted:
    'The row that starts in line {line} has more than {max} characters. Check it for an unclosed quote (").',
  quote_open:
    'A cell in line {line} starts with a quote (") that is never closed. Close it, or double it if it is part of the text.',
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
  worker_died: "The import stopped unexpectedly several times.",
  file_gone: "The file no longer exists. Upload it again.",
} as const;
export type ProblemCode = keyof typeof messages;

/** The possible problems of a row, with the parameters of their messages. */
export const rowParams: Record<RowFailure["code"], readonly string[]> = {
  row_invalid: ["field", "issue", "max"],
  key_taken: ["key"],
  key_invalid: ["key"],
  keys_used_up: [],
  external_id_taken: ["externalId"],
  domain_unknown: ["domain"],
  url_loops: [],
  destination_refused: ["host", "list", "owner"],
  tag_unknown: ["tag"],
  tags_too_many: [],
  logo_unknown: ["logo"],
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

/** A problem with its English message, and for translation. */
export function importProblem(
  code: ProblemCode,
  params: ErrorProblem["params"] = {},
): ImportProblem {
  const message = messages[code].replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
  return { message, problem: { code, params } };
}

/** The error for a file, or for a request about an import. */
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
  return new AppError(code, message, retryAfterSeconds, problem);
}

/** The problem of a row. The body has the values of the message; long ones are truncated. */
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

/** Formatted numbers. */
export function count(number: number): string {
  return number.toLocaleString("en");
}
