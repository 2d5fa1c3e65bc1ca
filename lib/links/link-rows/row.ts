import type { GeoTargets, InsideApps, Rule, TestVariants } from "#lib/links/link-cache/schema";
import {
  columnList,
  type LinkColumn,
  linkColumns,
  plainColumns,
  plainNames,
  type RowOf,
} from "#lib/links/link-columns/schema";
import type { QrDesign } from "#lib/links/qr-design/schema";
import type { LinkOrigin } from "./schema.ts";

interface RowJson {
  geo: GeoTargets;
  rules: Rule[];
  inside_apps: InsideApps;
  test_variants: TestVariants;
  qr: QrDesign;
  origin: LinkOrigin;
}

export type LinkRow = RowOf<LinkColumn, RowJson>;

const columnTypes = new Map(columnList.map(({ column, sql }) => [column, sql]));
const ownColumns = linkColumns.filter((name) => !(name in plainColumns));

export function columnsUsed(rows: readonly LinkRow[]): LinkColumn[] {
  const plain = plainNames.filter((name) => rows.some((row) => row[name] !== plainColumns[name]));
  return [...ownColumns, ...plain];
}

export function columnsJson(rows: readonly LinkRow[], columns: readonly LinkColumn[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const picked: Partial<Record<LinkColumn, unknown>> = {};
      for (const column of columns) picked[column] = row[column];
      return picked;
    }),
  );
}

/** A row source for a statement whose parameter is `columnsJson` with the same columns. */
export function recordsOf(parameter: string, columns: readonly LinkColumn[]): string {
  const typed = columns.map((column) => `${column} ${columnTypes.get(column)}`);
  return `json_to_recordset(${parameter}::json) AS new (${typed.join(", ")})`;
}
