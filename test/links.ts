/** For unit tests: creates and lists links in one line each. */

import { createLinks } from "#lib/links/creating";
import type { Link, NewLink } from "#lib/links/fields/schema";
import { countLinks, listLinks } from "#lib/links/reading";
import { countLinksQuery, listLinksQuery } from "#lib/links/reading/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";

const dashboard = { source: "dashboard" as const, prefill: false };

export async function make(
  scope: WorkspaceScope,
  bodies: NewLink[],
  options: Parameters<typeof createLinks>[2] = dashboard,
): Promise<Link[]> {
  const outcomes = await createLinks(scope, bodies, options);
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.link;
  });
}

export function list(scope: WorkspaceScope, filters: Record<string, unknown>): Promise<Link[]> {
  return listLinks(scope, listLinksQuery.parse(filters));
}

export async function keysOf(
  scope: WorkspaceScope,
  filters: Record<string, unknown>,
): Promise<string[]> {
  return (await list(scope, filters)).map(({ key }) => key);
}

/** Pages through a list until a page is empty. Backwards from the last link, which is then excluded. */
export async function pageThrough(
  scope: WorkspaceScope,
  filters: Record<string, unknown>,
  step: "startingAfter" | "endingBefore",
): Promise<string[]> {
  const forwards = step === "startingAfter";
  const ids: string[] = [];
  let cursor = forwards ? undefined : (await list(scope, { ...filters, pageSize: 100 })).at(-1)?.id;
  for (;;) {
    const page = await list(scope, cursor ? { ...filters, [step]: cursor } : filters);
    if (page.length === 0) return ids;
    const more = page.map(({ id }) => id);
    ids.splice(forwards ? ids.length : 0, 0, ...more);
    cursor = page.at(forwards ? -1 : 0)?.id;
  }
}

export function count(scope: WorkspaceScope, filters: Record<string, unknown>) {
  return countLinks(scope, countLinksQuery.parse(filters));
}
