/** Lists and totals of all workspaces and people, newest first. The overview shows the same totals. */
import { query, SqlValues } from "#lib/platform/postgres";
import { auditLooks, type OperatorScope } from "#lib/tenancy/operators";
import {
  directoryMax,
  type ListedPeople,
  type ListedPerson,
  type ListedWorkspace,
  type ListedWorkspaces,
  type OfficeCount,
  type PeopleQuery,
  type WorkspacesQuery,
} from "./schema.ts";

/** For larger tables, shows the estimate of the database. */
export const countedMax = 100_000;

interface Directory {
  table: string;
  /** Columns with an index of their parts. */
  names: readonly string[];
  columns: string;
  /** The first that holds. */
  state: string;
  /** A state that is only listed if the filter asks for it, and its condition. */
  apart?: { state: string; condition: string };
}

const workspaces: Directory = {
  table: "workspace",
  names: ["name", "slug"],
  columns: `name, slug, plan,
    (SELECT count(*)::int FROM membership WHERE membership.workspace_pk = listed.pk) AS members`,
  state: `CASE
    WHEN deleted_at IS NOT NULL THEN 'deleted'
    WHEN banned_at IS NOT NULL THEN 'banned'
    WHEN demo THEN 'demo'
    ELSE 'active' END`,
  // Example data never counts.
  apart: { state: "demo", condition: "demo" },
};

const people: Directory = {
  table: "app_user",
  names: ["name", "email"],
  columns: `name, email,
    (SELECT count(*)::int FROM membership WHERE membership.user_pk = listed.pk) AS workspaces`,
  state: `CASE
    WHEN banned_at IS NOT NULL THEN 'banned'
    WHEN operator THEN 'administrator'
    WHEN email_proven_at IS NULL THEN 'unconfirmed'
    ELSE 'active' END`,
};

/** Every workspace of the page gets an entry in its audit log. */
export async function listWorkspaces(
  operator: OperatorScope,
  filter: WorkspacesQuery = {},
): Promise<ListedWorkspaces> {
  const { rows, ...page } = await readPage<ListedWorkspace>(workspaces, filter);
  // defence: operator-lists-recorded
  await auditLooks(
    operator,
    rows.map(({ pk }) => pk),
    { details: { viewed: "workspaces" } },
  );
  return { workspaces: rows.map(present), ...page };
}

export async function listPeople(
  operator: OperatorScope,
  filter: PeopleQuery = {},
): Promise<ListedPeople> {
  const { rows, ...page } = await readPage<ListedPerson>(people, filter);
  await auditLooks(operator, [null], { details: { viewed: "people", name: filter.search } });
  return { people: rows.map(present), ...page };
}

export function countWorkspaces(filter: WorkspacesQuery = {}): Promise<OfficeCount> {
  return countRows(workspaces, filter);
}

export function countPeople(filter: PeopleQuery = {}): Promise<OfficeCount> {
  return countRows(people, filter);
}

/** Beyond the limit, the estimate is never below the counted number. */
export function countOf(counted = 0, estimate = 0): OfficeCount {
  if (counted <= countedMax) return { count: counted, about: false };
  return { count: Math.max(estimate, counted), about: true };
}

type Filter = WorkspacesQuery | PeopleQuery;
type Row<Listed> = Omit<Listed, "createdAt"> & { pk: number; createdAt: Date };

function present<Listed>({ pk: _, createdAt, ...row }: Row<Listed>) {
  return { ...row, createdAt: createdAt.toISOString() };
}

async function readPage<Listed extends { id: string }>(directory: Directory, filter: Filter) {
  const { table, columns, state } = directory;
  const values = new SqlValues();
  const conditions = conditionsOf(directory, filter, values);
  if (filter.startingAfter) {
    const last = values.place(filter.startingAfter);
    conditions.push(`pk < (SELECT pk FROM ${table} WHERE id = ${last})`);
  }
  const [rows, total] = await Promise.all([
    query<Row<Listed>>({
      // Answered by the primary key until the page is full, or by the index of the names.
      text: `
        SELECT pk, id, ${columns}, ${state} AS state, created_at AS "createdAt"
        FROM ${table} AS listed
        WHERE ${conditions.join(" AND ")}
        ORDER BY pk DESC
        LIMIT ${directoryMax + 1}`,
      values: values.list,
    }),
    countRows(directory, filter),
  ]);
  const shown = rows.slice(0, directoryMax);
  return {
    rows: shown,
    total,
    next: rows.length > directoryMax ? (shown.at(-1)?.id ?? null) : null,
  };
}

async function countRows(directory: Directory, filter: Filter): Promise<OfficeCount> {
  const { table } = directory;
  const { startingAfter: _, ...filters } = filter;
  const values = new SqlValues();
  const conditions = conditionsOf(directory, filters, values);
  const isWhole = !Object.values(filters).some(Boolean);
  // Read up to the limit, like the list.
  const row = await query.one<{ counted: number; estimate: number }>({
    text: `
      SELECT
        (SELECT count(*) FROM (
          SELECT 1 FROM ${table} WHERE ${conditions.join(" AND ")} LIMIT ${countedMax + 1}
        ) AS counted) AS counted,
        (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.${table}'::regclass) AS estimate`,
    values: values.list,
  });
  return countOf(row?.counted, isWhole ? row?.estimate : 0);
}

function conditionsOf(directory: Directory, filter: Filter, { place }: SqlValues): string[] {
  const { names, state, apart } = directory;
  const isApart = apart !== undefined && filter.state !== apart.state;
  const conditions = [isApart ? `NOT ${apart.condition}` : "true"];
  if (filter.search) {
    const part = place(`%${filter.search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`(${names.map((name) => `lower(${name}) LIKE ${part}`).join(" OR ")})`);
  }
  if (filter.from) conditions.push(`created_at >= ${place(new Date(filter.from))}`);
  if (filter.state) conditions.push(`${state} = ${place(filter.state)}`);
  if ("plan" in filter && filter.plan) conditions.push(`plan = ${place(filter.plan)}`);
  return conditions;
}
