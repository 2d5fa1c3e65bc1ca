/** The SQL that reads dimensions from a raw click. Unknown values are '', so that sums match. */
import { type ClickColumn, clickColumns, type Dimension } from "#lib/analytics/dimensions/schema";
import { type ClicksRead, clicksOf } from "#lib/analytics/single-clicks";
import type { Connection, Statement } from "#lib/platform/postgres";
import { appLabel, appNames } from "#lib/platform/request-info/schema";

const inAppBrowsers = appNames.map((name) => `'${appLabel(name, "en")}'`).join(", ");

/** Dimensions that are not a column with the same name. */
const others = {
  // Cities of the same name differ by their region or country: `US-OR/Portland`.
  city: "CASE WHEN city IS NULL THEN '' ELSE concat(coalesce(region, country), '/', city) END",
  trigger: "CASE WHEN click.qr THEN 'qr' ELSE 'link' END",
  domain: "domain_pk::text",
  bot: "coalesce(bot_kind, '')",
  // For the health of domains: `12/WeChat`, and `12/` for other browsers.
  domain_app: `concat(domain_pk, '/', CASE WHEN browser IN (${inAppBrowsers}) THEN browser END)`,
} as const satisfies Partial<Record<Dimension, string>> &
  Record<Exclude<Dimension, ClickColumn> | "bot" | "domain_app", string>;

/** Sound because every dimension is a column or among the others. */
export const expressions = {
  ...Object.fromEntries(clickColumns.map((column) => [column, `coalesce(${column}, '')`])),
  ...others,
} as Readonly<Record<Dimension | "bot" | "domain_app", string>>;

const names = Object.keys(expressions);

export const slotDimensions: readonly string[] = ["total", ...names];
export const dayDimensions: readonly string[] = [...slotDimensions, "hour"];

/** Stands for the whole workspace in place of a link’s pk. Not 0, because that is the pk of the very first link. */
export const wholeWorkspace = -1;

/** Which clicks are counted: those of a workspace in a period. All texts are SQL that may use the parameters `$1` and so on. */
type Counted = Required<Pick<ClicksRead, "workspace" | "from" | "until">> &
  Pick<ClicksRead, "links"> & { where?: string };

interface RawCount extends Counted {
  start: string;
  linkPk: string;
  workspacePk: string;
  /** Which of the three differ between rows. */
  by: readonly ("start" | "link_pk" | "workspace_pk")[];
  /** The flag that makes a click count as a visitor. */
  first: "first_of_workspace" | "first_of_link";
  /** With a zone, hours are counted too. */
  zone?: string;
}

export const ofWorkspace = {
  linkPk: `${wholeWorkspace}::bigint`,
  first: "first_of_workspace",
} as const;
export const ofLinks = { linkPk: "link_pk", first: "first_of_link" } as const;

/** GROUPING SETS take 3 µs a click; a join with a row per dimension took 12. */
export function selectValues(count: RawCount): string {
  const { start, linkPk, workspacePk, by, first, zone } = count;
  const all: Record<string, string> = { ...expressions };
  if (zone !== undefined) all["hour"] = `to_char(at AT TIME ZONE ${zone}, 'HH24')`;
  const dimensions = Object.keys(all);
  const columns = dimensions.map((name) => `of_${name}`);
  const keys = { start, link_pk: linkPk, workspace_pk: workspacePk };
  const outside = Object.entries(keys).map(([name, expression]) =>
    by.some((one) => one === name) ? name : `${expression} AS ${name}`,
  );
  return `
    SELECT
      ${outside.join(", ")}, ${nameOfSet(dimensions, columns)} AS dimension,
      sum(click)::int AS clicks, sum(visitor)::int AS visitors, sum(scan)::int AS scans,
      sum(bot)::int AS bots, coalesce(${columns.join(", ")}, '') AS value
    FROM (
      SELECT
        ${by.map((name) => `${keys[name]} AS ${name},`).join(" ")}
        (NOT bot)::int AS click,
        ${first}::int AS visitor,
        (qr AND NOT bot)::int AS scan,
        bot::int AS bot,
        ${dimensions.map((name) => `${all[name]} AS of_${name}`).join(",\n        ")}
      ${fromClicks([...countedFields, ...clickColumns, "domain_pk", "bot_kind"], count)}
    ) AS click
    GROUP BY GROUPING SETS (${["", ...columns].map((column) => setOf([...by, column])).join(", ")})
    HAVING count(*) > 0`;
}

function setOf(columns: readonly string[]): string {
  return `(${columns.filter((column) => column !== "").join(", ")})`;
}

/** GROUPING sets the bits of all columns that are not part of the group. */
function nameOfSet(dimensions: readonly string[], columns: readonly string[]): string {
  const bits = 2 ** columns.length - 1;
  const whens = dimensions.map(
    (name, at) => `WHEN ${bits - 2 ** (columns.length - 1 - at)} THEN '${name}'`,
  );
  return `(CASE GROUPING(${columns.join(", ")})
        ${whens.join("\n        ")}
        ELSE 'total'
      END)::analytics.dimension`;
}

export function selectLinks({ start, ...counted }: Counted & Pick<RawCount, "start">): string {
  return `
    SELECT
      start, link_pk, workspace_pk, count(*) FILTER (WHERE NOT bot)::int AS clicks,
      count(*) FILTER (WHERE first_of_link)::int AS visitors,
      count(*) FILTER (WHERE first_of_workspace)::int AS workspace_visitors,
      count(*) FILTER (WHERE qr AND NOT bot)::int AS scans,
      count(*) FILTER (WHERE bot)::int AS bots
    FROM (
      SELECT ${start} AS start, *
      ${fromClicks(countedFields, counted)}
    ) AS click
    GROUP BY start, link_pk, workspace_pk`;
}

const countedFields = [
  "at",
  "workspace_pk",
  "link_pk",
  "bot",
  "qr",
  "first_of_link",
  "first_of_workspace",
] as const satisfies ClicksRead["fields"];

function fromClicks(fields: ClicksRead["fields"], { where = "true", ...read }: Counted): string {
  const { workspace, from, until, links } = read;
  const only = links === undefined ? {} : { links };
  return `FROM ${clicksOf({ fields, workspace, from, until, ...only })}
      WHERE ${where}`;
}

export const linkColumns =
  "start, link_pk, workspace_pk, clicks, visitors, workspace_visitors, scans, bots";
/** Queries read by dimension. In this order, a year of countries is 1,500 pages instead of 13,000. */
export const valueOrder = "ORDER BY start, link_pk, dimension";
export const valueColumns =
  "start, link_pk, workspace_pk, dimension, clicks, visitors, scans, bots, value";

/** Rolling a busy workspace may take longer than any other statement. */
export const rollTimeoutMs = 600_000;

export function rollStatement(text: string, values: unknown[]): Statement {
  return { text, values, query_timeout: rollTimeoutMs };
}

export function roll<Row>(tx: Connection, text: string, values: unknown[]): Promise<Row[]> {
  return tx.query<Row>(rollStatement(text, values));
}
