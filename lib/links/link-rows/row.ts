/** A link as a row. */

import type { GeoTargets, InsideApps, Rule, TestVariants } from "#lib/links/link-cache/schema";
import type { QrDesign } from "#lib/links/qr-design/schema";
import type { LinkOrigin } from "./schema.ts";

/** A link as in the table, without the columns that only other modules read. */
export interface LinkRow {
  pk: number;
  id: string;
  revision: number;
  workspace_pk: number;
  domain_pk: number;
  user_pk: number | null;
  api_key_pk: number | null;
  folder_pk: number | null;
  key: string;
  url: string;
  alias: boolean;
  created_at: Date;
  updated_at: Date;
  redirect_status: number;
  archived: boolean;
  proxy: boolean;
  rewrite: boolean;
  do_index: boolean;
  track_conversion: boolean;
  public_stats: boolean;
  /** Null: as the workspace. */
  forward_query: boolean | null;
  forward_path: boolean;
  external_id: string | null;
  tenant_id: string | null;
  comments: string | null;
  title: string | null;
  description: string | null;
  image: string | null;
  video: string | null;
  ios: string | null;
  android: string | null;
  geo: GeoTargets | null;
  rules: Rule[] | null;
  /** What visitors get in the in-app browser of an app; null: the destination. */
  inside_apps: InsideApps | null;
  test_variants: TestVariants | null;
  test_started_at: Date | null;
  test_completed_at: Date | null;
  starts_at: Date | null;
  expires_at: Date | null;
  expired_url: string | null;
  max_clicks: number | null;
  password_hash: string | null;
  disabled_at: Date | null;
  banned_at: Date | null;
  ban_reason: string | null;
  retires_at: Date | null;
  /** The date is its own (null: never); otherwise the rules of the workspace apply. */
  retires_own: boolean;
  retired_at: Date | null;
  webhook_ids: string[];
  form_id: string | null;
  qr: QrDesign | null;
  /** What it was at the system that it comes from. */
  origin: LinkOrigin | null;
}

/** Defaults of a link: the columns that an edit may change, apart from key and url. */
export const plainColumns = {
  folder_pk: null,
  redirect_status: 0,
  archived: false,
  proxy: false,
  rewrite: false,
  do_index: false,
  track_conversion: false,
  public_stats: false,
  forward_query: null,
  forward_path: false,
  external_id: null,
  tenant_id: null,
  comments: null,
  title: null,
  description: null,
  image: null,
  video: null,
  ios: null,
  android: null,
  geo: null,
  rules: null,
  inside_apps: null,
  test_variants: null,
  test_started_at: null,
  test_completed_at: null,
  starts_at: null,
  expires_at: null,
  expired_url: null,
  max_clicks: null,
  password_hash: null,
  disabled_at: null,
  banned_at: null,
  ban_reason: null,
  retires_at: null,
  retires_own: false,
  retired_at: null,
  webhook_ids: [],
  form_id: null,
  qr: null,
  origin: null,
} satisfies Partial<LinkRow>;

export type PlainColumn = keyof typeof plainColumns;

/** Every column of a LinkRow with its type, to convert JSON to rows. */
const columnTypes = {
  pk: "bigint",
  id: "uuid",
  revision: "bigint",
  workspace_pk: "int",
  domain_pk: "int",
  user_pk: "int",
  api_key_pk: "int",
  folder_pk: "int",
  key: "text",
  url: "text",
  alias: "boolean",
  created_at: "timestamptz",
  updated_at: "timestamptz",
  redirect_status: "smallint",
  archived: "boolean",
  proxy: "boolean",
  rewrite: "boolean",
  do_index: "boolean",
  track_conversion: "boolean",
  public_stats: "boolean",
  forward_query: "boolean",
  forward_path: "boolean",
  external_id: "text",
  tenant_id: "text",
  comments: "text",
  title: "text",
  description: "text",
  image: "text",
  video: "text",
  ios: "text",
  android: "text",
  geo: "jsonb",
  rules: "jsonb",
  inside_apps: "jsonb",
  test_variants: "jsonb",
  test_started_at: "timestamptz",
  test_completed_at: "timestamptz",
  starts_at: "timestamptz",
  expires_at: "timestamptz",
  expired_url: "text",
  max_clicks: "int",
  password_hash: "text",
  disabled_at: "timestamptz",
  banned_at: "timestamptz",
  ban_reason: "text",
  retires_at: "timestamptz",
  retires_own: "boolean",
  retired_at: "timestamptz",
  webhook_ids: "text[]",
  form_id: "text",
  qr: "jsonb",
  origin: "jsonb",
} as const satisfies Record<keyof LinkRow, string>;

export type LinkColumn = keyof LinkRow;

/** Sound because they are its keys. */
export const linkColumns = Object.keys(columnTypes) as LinkColumn[];
export const plainNames = Object.keys(plainColumns) as PlainColumn[];

/** Columns without a default. */
const ownColumns = linkColumns.filter((name) => !(name in plainColumns));

/** The columns in which some row differs from the default; mostly few. */
export function columnsUsed(rows: readonly LinkRow[]): LinkColumn[] {
  const plain = plainNames.filter((name) => rows.some((row) => row[name] !== plainColumns[name]));
  return [...ownColumns, ...plain];
}

/** Rows as JSON for `recordsOf`. */
export function columnsJson(rows: readonly LinkRow[], columns: readonly LinkColumn[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const picked: Partial<Record<LinkColumn, unknown>> = {};
      for (const column of columns) picked[column] = row[column];
      return picked;
    }),
  );
}

/** A row source for a statement whose parameter is `columnsJson` of the same columns. */
export function recordsOf(parameter: string, columns: readonly LinkColumn[]): string {
  const typed = columns.map((column) => `${column} ${columnTypes[column]}`);
  return `json_to_recordset(${parameter}::json) AS new (${typed.join(", ")})`;
}
