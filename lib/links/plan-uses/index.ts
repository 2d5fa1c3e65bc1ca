/** What a plan does not include. Links keep what they have: only new uses are refused. */
import { isDeepStrictEqual } from "node:util";
import { type LinkFailure, linkFailure } from "#lib/links/fields";
import type { LinkRow } from "#lib/links/link-rows";
import type { PlanGrant } from "#lib/tenancy/plans";
import type { Capability } from "#lib/tenancy/plans/schema";
import { findLocked } from "#lib/tenancy/quotas";

type LimitedColumns = Pick<
  LinkRow,
  | "url"
  | "password_hash"
  | "rules"
  | "geo"
  | "ios"
  | "android"
  | "inside_apps"
  | "form_id"
  | "test_variants"
>;

export function lockedUse(grant: PlanGrant, capability: Capability): LinkFailure | undefined {
  const locked = findLocked(grant, capability);
  return locked && linkFailure("plan_limit", locked.message, locked.params);
}

export function findLockedUse(
  grant: PlanGrant,
  before: LimitedColumns | undefined,
  after: LimitedColumns,
): LinkFailure | undefined {
  for (const { capability, isNew } of uses) {
    if (isNew(before, after)) {
      const failure = lockedUse(grant, capability);
      if (failure) return failure;
    }
  }
  return undefined;
}

interface Use {
  capability: Capability;
  isNew: (before: LimitedColumns | undefined, after: LimitedColumns) => boolean;
}

const uses: readonly Use[] = [
  {
    capability: "passwords",
    isNew: (before, after) => isAdded(before?.password_hash, after.password_hash),
  },
  {
    capability: "rules",
    isNew: (before, after) =>
      (after.rules ?? []).some((rule) => !before?.rules?.some((one) => isSame(one, rule))) ||
      Object.entries(after.geo ?? {}).some(([country, url]) => before?.geo?.[country] !== url) ||
      isAdded(before?.ios, after.ios) ||
      isAdded(before?.android, after.android),
  },
  {
    capability: "insideApps",
    isNew: (before, after) =>
      after.inside_apps !== null && !isSame(before?.inside_apps, after.inside_apps),
  },
  { capability: "forms", isNew: (before, after) => isAdded(before?.form_id, after.form_id) },
  {
    capability: "abTests",
    isNew: (before, after) =>
      after.test_variants !== null && !isSame(before?.test_variants, after.test_variants),
  },
  {
    capability: "destinationEdits",
    isNew: (before, after) => Boolean(before?.url) && before?.url !== after.url,
  },
];

function isAdded(before: string | null | undefined, after: string | null): boolean {
  return Boolean(after) && after !== before;
}

/** Compares values as they are stored: undefined fields do not exist. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(stored(one), stored(other));
}

function stored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
