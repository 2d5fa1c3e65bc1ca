import { AppError, type ErrorCode, type ErrorProblem } from "#lib/platform/errors";

export const tableMessages = {
  file_empty: "The file is empty. Upload a file with at least one row.",
  file_cut: "The upload was interrupted. Upload the file again.",
  file_stalled:
    "No data arrived for {seconds} seconds. Check your connection and upload the file again.",
  file_too_large: "A file can have up to {megabytes} MB. Split it into smaller files.",
  disk_full:
    "This instance is out of disk space, so the file was not saved. Contact your administrator and try again later.",
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
  too_complex:
    "This file takes too long to read. Split it into smaller files, or save it as CSV UTF-8.",
  too_many_cells:
    "The sheet has more than {max} cells. Delete empty columns and rows, or save it as CSV UTF-8, then upload that file.",
  too_many_rows: "A file can have up to {max} rows. Split it into smaller files.",
  too_many_columns: "Line {line} has more than {max} columns. Remove the ones you don’t need.",
  cell_too_long:
    "The cell in line {line}, column {column} has more than {max} characters. Shorten it, or remove the column.",
  row_too_long: "The row that starts in line {line} has more than {max} characters. Shorten it.",
  row_too_long_quoted:
    'The row that starts in line {line} has more than {max} characters. Check it for an unclosed quote (").',
  quote_open:
    'A cell in line {line} starts with a quote (") that is never closed. Close it, or double it if it is part of the text.',
  json_broken: "The JSON in line {line} is not valid. Export the file again, or correct that line.",
  json_cut:
    "The JSON file ends too early: what starts in line {line} is not closed. Export the file again.",
  json_too_deep:
    "The JSON in line {line} has more than {max} nested lists and objects. Remove the ones you don’t need.",
  json_no_records:
    "This JSON file has no list of links. Upload a list of objects, an object with the property “links”, or one object per line.",
  sql_broken:
    "The values in line {line} of the SQL file can’t be read. Export the table again with mysqldump or phpMyAdmin.",
  sql_cut:
    "The SQL file ends too early: what starts in line {line} is not closed. Export the table again.",
  sql_no_rows:
    "This SQL file has no rows of the table with links of YOURLS, such as yourls_url. Export that table with its data.",
  records_encoding: "This {format} file is not in UTF-8. Export it again in UTF-8.",
  nul_in_cell: "The value in line {line}, column {column} contains a NUL character. Remove it.",
} as const;
export type TableProblem = keyof typeof tableMessages;

export function tableError(
  code: TableProblem,
  params: ErrorProblem["params"] = {},
  errorCode: ErrorCode = "unprocessable_entity",
  retryAfterSeconds?: number,
): AppError {
  const message = fillMessage(tableMessages[code], params);
  return new AppError(errorCode, message, { retryAfterSeconds, problem: code, params });
}

export function fillMessage(message: string, params: ErrorProblem["params"]): string {
  return message.replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
}

export function count(number: number): string {
  return number.toLocaleString("en");
}
