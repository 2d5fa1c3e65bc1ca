/** CSV, Excel workbooks, JSON and SQL dumps, stored as rows that are read from any position. */
export { type Encoding, findOldEncoding } from "./encoding.ts";
export { tableParser } from "./parsing.ts";
export { fillMessage, tableError, tableMessages } from "./problems.ts";
export { type ReceivedTable, receiveTable } from "./receiving.ts";
export { readSealed } from "./sealed-file.ts";
export {
  erasedCell,
  readStoredRows,
  type StoredRow,
  type TableSummary,
  writeTable,
} from "./table.ts";
