/**
 * Everything that a link has, in one table: every column of `link` and every field of a Link in the
 * API, in the order of a response. Rows, SQL, caches, responses, files, the history and the form
 * derive their lists from it. Visits and browsers load this file, so it imports no packages.
 */

/**
 * What a value is: the type of its column, and `usual`, the value of a new link. Kinds without
 * `usual` are set for every new link, or have no column.
 */
const kinds = {
  pk: { sql: "bigint" },
  uuid: { sql: "uuid" },
  owner: { sql: "int" },
  creator: { sql: "int" },
  name: { sql: "text" },
  mark: { sql: "boolean" },
  time: { sql: "timestamptz" },
  text: { sql: "text", usual: null },
  url: { sql: "text", usual: null },
  appUrl: { sql: "text", usual: null },
  id: { sql: "text", usual: null },
  ids: { sql: "text[]", usual: [] },
  folder: { sql: "int", usual: null },
  flag: { sql: "boolean", usual: false },
  /** Null: the setting of the workspace applies. */
  choice: { sql: "boolean", usual: null },
  count: { sql: "int", usual: null },
  status: { sql: "smallint", usual: 0 },
  moment: { sql: "timestamptz", usual: null },
  json: { sql: "jsonb", usual: null },
  /** Only in responses: a number, and fields that are always null. */
  total: { sql: "", usual: 0 },
  nothing: { sql: "", usual: null },
} as const satisfies Readonly<Record<string, { sql: string; usual?: unknown }>>;

type Kind = keyof typeof kinds;

/** The values of columns. Each `json` column has its own type. */
interface ColumnValues {
  pk: number;
  uuid: string;
  owner: number;
  creator: number | null;
  name: string;
  mark: boolean;
  time: Date;
  text: string | null;
  url: string | null;
  appUrl: string | null;
  id: string | null;
  ids: string[];
  folder: number | null;
  flag: boolean;
  choice: boolean | null;
  count: number | null;
  status: number;
  moment: Date | null;
}

export const formParts = [
  "utm",
  "password",
  "schedule",
  "rules",
  "test",
  "card",
  "more",
  "developer",
] as const;
export type FormPart = (typeof formParts)[number];

interface LinkField {
  kind: Kind;
  /** Omitted for fields that follow from other values. */
  column?: string;
  /** The part of the form. `base` is always open; `own` fields have their own controls. */
  form?: FormPart | "base" | "own";
  /** Its name in bodies, if different. */
  body?: string;
  /** The value is neither returned nor recorded. */
  sealed?: true;
  /** Its name in the history, if different. Null: it only changes together with another field. */
  history?: string | null;
  visit?: true;
  /** Its column in an exported file. Programs count columns, so new ones come last. */
  csv?: number;
}

type FieldTable = Readonly<Record<string, LinkField>>;

/** Fields of Dub: every response has all of them. Strict clients accept no others. */
const dubFields = {
  id: { kind: "uuid", column: "id", csv: 1 },
  domain: { kind: "owner", column: "domain_pk", form: "own", visit: true, csv: 3 },
  key: { kind: "name", column: "key", form: "own", csv: 4 },
  url: { kind: "name", column: "url", form: "own", visit: true, csv: 5 },
  shortLink: { kind: "name", csv: 2 },
  qrCode: { kind: "name" },
  externalId: { kind: "text", column: "external_id", form: "developer", csv: 10 },
  tenantId: { kind: "text", column: "tenant_id", form: "developer", csv: 11 },
  programId: { kind: "text" },
  partnerId: { kind: "text" },
  trackConversion: { kind: "flag", column: "track_conversion", form: "more", visit: true },
  archived: { kind: "flag", column: "archived", form: "base", csv: 13 },
  expiresAt: { kind: "moment", column: "expires_at", form: "schedule", visit: true, csv: 17 },
  expiredUrl: { kind: "url", column: "expired_url", form: "schedule", visit: true, csv: 18 },
  disabledAt: { kind: "moment", column: "disabled_at", body: "disabled", form: "own", visit: true },
  password: { kind: "text", column: "password_hash", form: "own", sealed: true, visit: true },
  proxy: { kind: "flag", column: "proxy", form: "own", visit: true },
  title: { kind: "text", column: "title", form: "base", visit: true, csv: 6 },
  description: { kind: "text", column: "description", form: "card", visit: true, csv: 7 },
  image: { kind: "url", column: "image", form: "card", visit: true, csv: 8 },
  video: { kind: "url", column: "video", form: "card", visit: true },
  rewrite: { kind: "flag", column: "rewrite", form: "more", visit: true },
  doIndex: { kind: "flag", column: "do_index", form: "more", visit: true },
  ios: { kind: "appUrl", column: "ios", form: "rules", visit: true, csv: 20 },
  android: { kind: "appUrl", column: "android", form: "rules", visit: true, csv: 21 },
  geo: { kind: "json", column: "geo", form: "own", visit: true },
  publicStats: { kind: "flag", column: "public_stats", form: "more" },
  tags: { kind: "json", csv: 25 },
  folderId: { kind: "folder", column: "folder_pk", form: "base", csv: 12 },
  comments: { kind: "text", column: "comments", form: "base", csv: 9 },
  utm_source: { kind: "text" },
  utm_medium: { kind: "text" },
  utm_campaign: { kind: "text" },
  utm_term: { kind: "text" },
  utm_content: { kind: "text" },
  testVariants: { kind: "json", column: "test_variants", form: "own", visit: true },
  testStartedAt: { kind: "moment", column: "test_started_at", form: "test", visit: true },
  testCompletedAt: { kind: "moment", column: "test_completed_at", form: "test", visit: true },
  userId: { kind: "creator", column: "user_pk", csv: 24 },
  workspaceId: { kind: "owner", column: "workspace_pk", visit: true },
  clicks: { kind: "total", csv: 14 },
  leads: { kind: "total" },
  conversions: { kind: "total" },
  sales: { kind: "total" },
  saleAmount: { kind: "total" },
  lastClicked: { kind: "moment", csv: 15 },
  createdAt: { kind: "time", column: "created_at", csv: 22 },
  updatedAt: { kind: "time", column: "updated_at", csv: 23 },
  tagId: { kind: "text" },
  projectId: { kind: "name" },
  webhookIds: { kind: "ids", column: "webhook_ids", form: "own" },
  identifier: { kind: "nothing" },
  linkRetentionCleanupDisabledAt: { kind: "nothing" },
} as const satisfies FieldTable;

/** Fields beyond Dub’s, which a response only has if they are set. Add new fields here. */
const ownFields = {
  startsAt: { kind: "moment", column: "starts_at", form: "schedule", visit: true, csv: 16 },
  retiresAt: { kind: "moment", column: "retires_at", form: "own" },
  retirementDue: { kind: "moment" },
  retiredAt: { kind: "moment", column: "retired_at", history: null, visit: true },
  redirectStatus: { kind: "status", column: "redirect_status", form: "own", visit: true },
  maxClicks: { kind: "count", column: "max_clicks", form: "schedule", visit: true, csv: 19 },
  rules: { kind: "json", column: "rules", form: "own", visit: true },
  insideApps: { kind: "json", column: "inside_apps", form: "own", visit: true },
  forwardQuery: { kind: "choice", column: "forward_query", form: "own", visit: true },
  forwardPath: { kind: "flag", column: "forward_path", form: "more", visit: true },
  formId: { kind: "id", column: "form_id", form: "more", visit: true },
  qr: { kind: "json", column: "qr", form: "own" },
  origin: { kind: "json", column: "origin" },
} as const satisfies FieldTable;

/** Columns that are never in a response. */
const hiddenFields = {
  pk: { kind: "pk", column: "pk", visit: true },
  revision: { kind: "pk", column: "revision" },
  apiKeyId: { kind: "creator", column: "api_key_pk" },
  alias: { kind: "mark", column: "alias", history: null },
  bannedAt: { kind: "moment", column: "banned_at", visit: true },
  banReason: { kind: "text", column: "ban_reason", visit: true },
  /** `retires_at` was set for this link. Otherwise the rules of the workspace apply. */
  retiresOwn: { kind: "flag", column: "retires_own", history: "retiresAt" },
} as const satisfies FieldTable;

const linkFields = { ...dubFields, ...ownFields, ...hiddenFields };
type Fields = typeof linkFields;

export type FieldName = keyof Fields;
export type DubName = keyof typeof dubFields;
export type OwnName = keyof typeof ownFields;
export type KindOf<Name extends FieldName> = Fields[Name]["kind"];

export type FieldsWith<Attributes> = {
  [Name in FieldName]: Fields[Name] extends Attributes ? Name : never;
}[FieldName];

type ColumnsWith<Attributes> = Extract<
  Fields[FieldName],
  Attributes & { column: string }
>["column"];
type UsualKind = { [K in Kind]: (typeof kinds)[K] extends { usual: unknown } ? K : never }[Kind];

export type LinkColumn = ColumnsWith<unknown>;
export type PlainColumn = ColumnsWith<{ kind: UsualKind }>;
export type JsonColumn = ColumnsWith<{ kind: "json" }>;
export type VisitColumn = ColumnsWith<{ visit: true }>;
export type VisitMoment = ColumnsWith<{ visit: true; kind: "moment" }>;

type ColumnKind<C extends LinkColumn> = Extract<Fields[FieldName], { column: C }>["kind"];

export type RowOf<C extends LinkColumn, Json extends Record<C & JsonColumn, unknown>> = {
  [N in C]: N extends JsonColumn
    ? Json[N & C] | null
    : ColumnKind<N> extends keyof ColumnValues
      ? ColumnValues[ColumnKind<N>]
      : never;
};

/** Fields whose kind tells the form how to read and send them. */
export type FormField = FieldsWith<{ form: FormPart | "base" }>;
export type FormFlag = FieldsWith<{ form: FormPart | "base"; kind: "flag" }>;

export type BodyName = {
  [Name in FieldsWith<{ form: string }>]: Fields[Name] extends { body: infer Body } ? Body : Name;
}[FieldsWith<{ form: string }>];

export interface NamedField extends LinkField {
  name: FieldName;
  column?: LinkColumn;
  sql: string;
  usual: unknown;
}

export interface ColumnField extends NamedField {
  column: LinkColumn;
}

/** Sound because the function only adds names and kinds to the table. */
function namedFields(table: FieldTable): readonly NamedField[] {
  return Object.entries(table).map(([name, field]) => ({
    ...field,
    ...kinds[field.kind],
    name,
  })) as NamedField[];
}

export const fieldList = namedFields(linkFields);
export const dubFieldList = namedFields(dubFields);
export const ownFieldList = namedFields(ownFields);

export const columnList = fieldList.filter((field): field is ColumnField => Boolean(field.column));

/** Sound because the filter keeps exactly these fields. */
export const formFields = fieldList.filter(({ form }) => form && form !== "own") as readonly {
  name: FormField;
  kind: Kind;
  form: FormPart | "base";
}[];

export const linkColumns = columnList.map(({ column }) => column);
const plainList = columnList.filter(({ usual }) => usual !== undefined);
/** Sound because these columns have a usual value. */
export const plainNames = plainList.map(({ column }) => column) as PlainColumn[];

/**
 * The columns of a link with only a key and a URL. Sound because each value is of its kind. Made by
 * JSON.parse, because V8 is slow with objects filled by computed names, and every new link is a
 * copy of this one.
 */
export const plainColumns: RowOf<PlainColumn, Record<JsonColumn, never>> = JSON.parse(
  JSON.stringify(Object.fromEntries(plainList.map(({ column, usual }) => [column, usual]))),
);

/** The key of the link that a domain itself leads to. */
export const rootKey = "_root";

/** Workspaces are notified this long before links retire, and lists mark these links. */
export const warningDays = 30;
