/**
 * The columns of a link that its cached target needs. Rare columns are combined into one column of the result, because each
 * column costs time even if it is empty.
 */
import { type TargetColumns, type TargetRow, targetOfColumns } from "#lib/links/link-cache";
import {
  type ColumnField,
  columnList,
  plainColumns,
  type VisitMoment,
} from "#lib/links/link-columns/schema";

type UsedColumns = Pick<TargetColumns, "pk" | "workspace_pk" | "domain_pk" | "url">;
type RareColumns = Omit<TargetColumns, keyof UsedColumns>;

export type LinkRow = UsedColumns & {
  revision: number;
  /** Null for a link that uses none of them. */
  rare: (Omit<RareColumns, VisitMoment> & Record<VisitMoment, string | null>) | null;
};

const rareFields = columnList.filter(({ visit, usual }) => visit && usual !== undefined);
const flags = columnsOf(rareFields.filter(({ usual }) => usual === false));
/** These are only used with `proxy` or `rewrite`. */
const pageTexts = new Set(["title", "description", "image", "video"]);
const values = columnsOf(rareFields.filter(({ usual }) => usual === null)).filter(
  (name) => !pageTexts.has(name),
);
/** Sound because these are the columns of moments. */
const moments = columnsOf(rareFields.filter(({ kind }) => kind === "moment")) as VisitMoment[];

function columnsOf(fields: readonly ColumnField[]): string[] {
  return fields.map(({ column }) => column);
}

export const linkColumns = `
  link.revision, link.pk, link.workspace_pk, link.domain_pk, link.url,
  CASE
    WHEN link.redirect_status <> 0
      OR ${flags.map((name) => `link.${name}`).join(" OR ")}
      OR num_nonnulls(${values.map((name) => `link.${name}`).join(", ")}) > 0
    THEN json_build_object(${columnsOf(rareFields)
      .map((name) => `'${name}', link.${name}`)
      .join(", ")})
  END AS rare`;

export function targetOfRow(row: LinkRow): TargetRow {
  if (!row.rare) return usualTarget(row);
  const { rare, ...used } = row;
  return targetOfColumns({ ...used, ...rare, ...datesOf(rare) });
}

/** Avoids `targetOfColumns`: for unused columns, it takes longer than everything else done with the row. */
function usualTarget(row: UsedColumns): TargetRow {
  return {
    linkPk: row.pk,
    workspacePk: row.workspace_pk,
    domainPk: row.domain_pk,
    status: plainColumns.redirect_status,
    startsAt: 0,
    endsAt: 0,
    state: "a",
    url: row.url,
    expiredUrl: "",
    extras: undefined,
    indexed: plainColumns.do_index,
  };
}

/** Sound because each of them gets its date. */
function datesOf(rare: Record<VisitMoment, string | null>): Pick<TargetColumns, VisitMoment> {
  const dates = moments.map((name) => [name, dateOf(rare[name])]);
  return Object.fromEntries(dates) as Pick<TargetColumns, VisitMoment>;
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
