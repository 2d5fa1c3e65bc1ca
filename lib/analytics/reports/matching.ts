/** Which of a few clicks fit the filters of a query: for the live view, with the conditions of the charts. */
import { query, SqlValues } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { allOf, linkFilter, rawCondition } from "./branches.ts";
import { resolveConditions } from "./filters.ts";
import type { ClickFilter } from "./schema.ts";

export interface MatchedClick {
  /** The uuid of the click. */
  id: string;
  at: Date;
}

/** Returns the ids of the clicks that fit. */
export type ClickMatcher = (clicks: readonly MatchedClick[]) => Promise<ReadonlySet<string>>;

function hasFilters({ event, interval, start, end, timezone, ...filters }: ClickFilter): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Undefined: every click fits. Throws for filters that name missing objects. */
export async function matcherOf(
  scope: WorkspaceScope,
  request: ClickFilter,
): Promise<ClickMatcher | undefined> {
  if (!hasFilters(request)) return undefined;
  const { workspacePk } = scope;
  const { values, links } = await resolveConditions(scope, request);
  return async (clicks) => {
    const times = clicks.map(({ at }) => at.getTime());
    if (times.length === 0) return new Set();
    const parameters = new SqlValues();
    const place = (time: number) => parameters.place(new Date(time), "timestamptz");
    const ids = parameters.place(
      clicks.map(({ id }) => id),
      "uuid[]",
    );
    const { joins, conditions } = linkFilter(links, "click.link_pk", workspacePk, parameters);
    // Answered by click_workspace, in the partitions of these moments.
    const text = `
      SELECT id
      FROM analytics.click
      ${joins}
      WHERE click.workspace_pk = ${parameters.place(workspacePk, "int")}
        AND click.at >= ${place(Math.min(...times))}
        AND click.at <= ${place(Math.max(...times))}
        AND click.id = ANY(${ids})
        ${allOf([
          ...values.map((condition) => rawCondition(condition, parameters)),
          ...conditions,
        ])}`;
    const rows = await query<{ id: string }>({ text, values: parameters.list });
    return new Set(rows.map(({ id }) => id));
  };
}
