/**
 * Tables in files: CSV in any usual encoding and with any usual delimiter, Excel workbooks, JSON and SQL dumps are
 * received, checked, and stored as rows that can be read from any position.
 */
export { type Encoding, findOldEncoding } from "./encoding.ts";
export { tableParser } from "./parsing.ts";
export { fillMessage, tableError, tableMessages } from "./problems.ts";
export { type ReceivedTable, receiveTable } from "./receiving.ts";
export { erasedCell, readStoredRows, type StoredRow } from "./rows.ts";
export { readSealed } from "./sealed-file.ts";
export { type TableSummary, writeTable } from "./table.ts";
