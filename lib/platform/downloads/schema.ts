import { z } from "zod";

export const recordFormat = z
  .enum(["csv", "jsonl", "xlsx"], "Use csv, jsonl or xlsx.")
  .default("csv")
  .describe("CSV, lines of JSON, or an Excel workbook.");
export type RecordFormat = z.output<typeof recordFormat>;

export const recordTypes: Record<RecordFormat, string> = {
  csv: "text/csv",
  jsonl: "application/jsonl",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
