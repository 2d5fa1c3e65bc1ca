/**
 * Everything that may be wrong with a file or with a whole import: a stable code, and what is said of it in English. The
 * catalogues of the dashboard have the same codes below `imports.problems`, and the codes of rows besides; a test
 * compares them.
 */

import type { RowFailure } from "#lib/links/creating";
import { AppError, type ErrorCode, type Problem } from "#lib/platform/errors";
import { faultOf } from "./fields.ts";

const inExcel = 'In Excel choose "Save as" and the type "CSV UTF-8", then upload that file.';

/** What stands in braces is in the parameters. */
export const sentences = {
  file_empty: "The file is empty. Upload one with rows in it.",
  file_of_heading: "The file has a heading and no rows. Add rows below it.",
  file_cut: "The file ended before it was complete. Upload it again.",
  file_stalled:
    "Nothing arrived for {seconds} seconds. Check the connection, then upload the file again.",
  file_too_large: "A file has at most {megabytes} MB. Cut it into several files.",
  disk_full:
    "The disk of this installation is full, so the file could not be kept. Tell whoever runs it, and upload it again later.",
  no_room:
    "A workspace keeps at most {imports} imports, with files of {gigabytes} GB together. Delete one that is done.",
  is_workbook: `This is a workbook (xlsx) or another ZIP archive. ${inExcel}`,
  is_old_workbook: `This is a workbook of an older Excel (xls). ${inExcel}`,
  is_pdf: "This is a PDF. Upload the table that it was made of, as CSV.",
  is_picture: "This is a picture. Upload the table as CSV.",
  is_recording: "This is a picture or a recording. Upload the table as CSV.",
  is_compressed: "This is a compressed file ({kind}). Unpack it, then upload the CSV in it.",
  is_page: `This is a page (HTML or XML), no CSV. ${inExcel}`,
  is_no_text: `This file is no text: it holds NUL bytes. ${inExcel}`,
  encoding_wrong: `This file says that it is {encoding}, and has characters that are not. ${inExcel}`,
  too_many_rows: "A file has at most {max} rows. Cut it into several files.",
  too_many_columns: "Line {line} has more than {max} columns. Remove those that you do not need.",
  cell_too_long:
    "The cell in line {line}, column {column} has more than {max} characters. Shorten it, or remove the column.",
  row_too_long: "The row that begins in line {line} has more than {max} characters.",
  row_too_long_quoted:
    'The row that begins in line {line} has more than {max} characters. Is a quote (") in it not closed?',
  quote_open:
    'The quote (") that begins a cell in line {line} is not closed. Close it, or double it when it belongs to the text.',
  no_url_column: "No column is the destination. Choose the column that holds the addresses as url.",
  heading_too_long:
    "The heading of column {column} has more than {max} characters. Is the first line a row? Then set heading to false.",
  heading_alone: "options.heading: the file has one line, so it is a row.",
  field_twice: 'mapping: two columns are "{field}". A field has one column; set the other to null.',
  starter_gone: "Whoever started this is no longer in the workspace, or may no longer make links.",
  worker_died: "Its worker died again and again.",
  file_gone: "The file is no longer there. Upload it again.",
} as const;
export type ProblemCode = keyof typeof sentences;

/** What may be wrong with a row, and what its words name. */
export const rowParams: Record<RowFailure["code"], readonly string[]> = {
  row_invalid: ["field", "issue", "max"],
  key_taken: ["key"],
  key_invalid: ["key"],
  keys_used_up: [],
  external_id_taken: ["externalId"],
  domain_unknown: ["domain"],
  url_loops: [],
  tag_unknown: ["tag"],
  tags_too_many: [],
  folder_unknown: ["folder"],
  folder_forbidden: ["folder"],
  dates_crossed: [],
  quota_used_up: [],
  repeat_differs: [],
  jobs_waiting: [],
  changed_meanwhile: [],
  unavailable: [],
  failed: [],
};

export interface Told {
  message: string;
  problem: Problem;
}

/** A problem in English, and as what the dashboard says it from. */
export function tell(code: ProblemCode, params: Problem["params"] = {}): Told {
  const message = sentences[code].replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
  return { message, problem: { code, params } };
}

/** The refusal of a file, or of what is asked of an import. */
export function refusal(
  problem: ProblemCode,
  params: Problem["params"] = {},
  code: ErrorCode = "unprocessable_entity",
  retryAfterSeconds?: number,
): AppError {
  return refused(tell(problem, params), code, retryAfterSeconds);
}

export function refused(
  { message, problem }: Told,
  code: ErrorCode = "unprocessable_entity",
  retryAfterSeconds?: number,
): AppError {
  return new AppError(code, message, retryAfterSeconds, problem);
}

/** What is wrong with a row. The body says what the words name; the longest of it is cut. */
export function toldOfRow(failure: RowFailure, body: Readonly<Record<string, unknown>>): Told {
  const { code, message, details = {} } = failure;
  const named: Record<string, unknown> = { ...body, folder: body["folderId"], ...details };
  if (details["issue"] === "wrong") named["issue"] = faultOf(String(details["field"]));
  const params = Object.fromEntries(
    rowParams[code].map((name) => [name, String(named[name] ?? "").slice(0, paramCharsMax)]),
  );
  return { message, problem: { code, params } };
}

const paramCharsMax = 200;

/** Numbers as people write them. */
export function count(number: number): string {
  return number.toLocaleString("en");
}
