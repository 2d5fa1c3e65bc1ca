import { dayMs, instantIn } from "#lib/basics/time/schema";
import type { AuditQuery } from "#lib/tenancy/audit/schema";

export const entriesPerPage = 50;

export interface AuditPageFilters {
  actor: string;
  /** An object type, such as "link", which matches all of its actions. */
  about: string;
  /** Days such as 2026-01-31, both included; empty: unbounded. */
  from: string;
  to: string;
  after: string;
  before: string;
}

const wordCharsMax = 90;

export function parseFilters(
  params: Record<string, string | string[] | undefined>,
): AuditPageFilters {
  const text = (name: string, pattern: RegExp) => {
    const value = params[name];
    return typeof value === "string" && value.length <= wordCharsMax && pattern.test(value)
      ? value
      : "";
  };
  const day = (name: string) => {
    const value = text(name, /^\d{4}-\d\d-\d\d$/);
    return Number.isNaN(Date.parse(value)) ? "" : value;
  };
  return {
    actor: text("actor", /^\w+$/),
    about: text("about", /^[a-z-]+$/),
    from: day("from"),
    to: day("to"),
    after: text("after", /^aud_\w+$/),
    before: text("before", /^aud_\w+$/),
  };
}

/** The query of the log. Days start at midnight in the time zone. */
export function filterOf(filters: AuditPageFilters, zone: string): Omit<AuditQuery, "pageSize"> {
  return {
    ...(filters.actor ? { actor: filters.actor } : {}),
    ...(filters.about ? { action: `${filters.about}.*` } : {}),
    ...(filters.from ? { since: midnightOf(filters.from, zone, 0) } : {}),
    ...(filters.to ? { until: midnightOf(filters.to, zone, 1) } : {}),
  };
}

/** Midnight in a time zone, `later` days after the given day. */
export function midnightOf(day: string, zone: string, later: number): string {
  const date = new Date(Date.parse(`${day}T00:00:00Z`) + later * dayMs);
  return instantIn(zone, date.toISOString().slice(0, 16)) ?? "";
}

export function paramsOf({ actor, about, from, to }: AuditPageFilters): Record<string, string> {
  const all = { actor, about, from, to };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}
