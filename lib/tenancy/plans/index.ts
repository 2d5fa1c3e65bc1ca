/** Plans as data: the quotas of a workspace. `null` is unlimited. */
import type { planNames } from "#lib/platform/config";

/** Quotas on the number of existing objects. */
export const countedNames = ["domains", "tags", "folders", "members", "apiKeys"] as const;
export type CountedName = (typeof countedNames)[number];

/** Quotas on objects created per month of the workspace's zone. */
export type MonthlyName = "links";

export type Quotas = Readonly<Record<CountedName | MonthlyName, number | null>>;

export interface Plan {
  quotas: Quotas;
  /** API calls per minute and key. */
  callsPerMinute: number | null;
  /** How far back queries of clicks go; null: as far as the instance stores them. */
  clicksKeptDays: number | null;
  /** Days after the last visit until links created with the API retire; null: as the instance, 0: never. */
  retireApiDays: number | null;
}

const unlimited: Quotas = {
  links: null,
  domains: null,
  tags: null,
  folders: null,
  members: null,
  apiKeys: null,
};

/** For operators who sell Fuxi. On an instance without billing every workspace has `enterprise`, the default. */
export const plans = {
  free: {
    quotas: { links: 1_000, domains: 3, tags: 5, folders: 3, members: 1, apiKeys: 5 },
    callsPerMinute: 60,
    clicksKeptDays: 30,
    retireApiDays: 365,
  },
  trial: {
    quotas: { links: 10_000, domains: 10, tags: 25, folders: 20, members: 10, apiKeys: 20 },
    callsPerMinute: 600,
    clicksKeptDays: 90,
    retireApiDays: null,
  },
  personal: {
    quotas: { links: 50_000, domains: 20, tags: 100, folders: 50, members: 3, apiKeys: 50 },
    callsPerMinute: 1_200,
    clicksKeptDays: 365,
    retireApiDays: null,
  },
  enterprise: {
    quotas: unlimited,
    callsPerMinute: null,
    clicksKeptDays: null,
    retireApiDays: null,
  },
} satisfies Record<(typeof planNames)[number], Plan>;

export type PlanName = keyof typeof plans;

/** A plan from the database; any other text is a bug. */
export function planOf(text: string): PlanName {
  if (isPlan(text)) return text;
  throw new Error(`Unknown plan "${text}"`);
}

function isPlan(text: string): text is PlanName {
  return Object.hasOwn(plans, text);
}
