/** Plans as data: how much a workspace may have and do. `null` is without limit. */
import type { planNames } from "#lib/platform/config";

/** What is limited by how much there is of it. */
export const countedNames = ["domains", "tags", "folders", "members", "apiKeys"] as const;
export type CountedName = (typeof countedNames)[number];

/** What is limited by how much was made in the month of the workspace's zone. */
export type MonthlyName = "links";

export type Quotas = Readonly<Record<CountedName | MonthlyName, number | null>>;

export interface Plan {
  quotas: Quotas;
  /** Calls of the API in a minute, of each key. */
  callsPerMinute: number | null;
  /** How far back questions to its clicks go; null: as far as the installation keeps them. */
  clicksKeptDays: number | null;
}

const unlimited: Quotas = {
  links: null,
  domains: null,
  tags: null,
  folders: null,
  members: null,
  apiKeys: null,
};

/** For those who sell Fuxi. An installation without billing has every workspace on `enterprise`, the default. */
export const plans = {
  free: {
    quotas: { links: 1_000, domains: 3, tags: 5, folders: 3, members: 1, apiKeys: 5 },
    callsPerMinute: 60,
    clicksKeptDays: 30,
  },
  trial: {
    quotas: { links: 10_000, domains: 10, tags: 25, folders: 20, members: 10, apiKeys: 20 },
    callsPerMinute: 600,
    clicksKeptDays: 90,
  },
  personal: {
    quotas: { links: 50_000, domains: 20, tags: 100, folders: 50, members: 3, apiKeys: 50 },
    callsPerMinute: 1_200,
    clicksKeptDays: 365,
  },
  enterprise: { quotas: unlimited, callsPerMinute: null, clicksKeptDays: null },
} satisfies Record<(typeof planNames)[number], Plan>;

export type PlanName = keyof typeof plans;

/** A plan that the database holds; a text that is none was not written by us. */
export function planOf(text: string): PlanName {
  if (isPlan(text)) return text;
  throw new Error(`Unknown plan "${text}"`);
}

function isPlan(text: string): text is PlanName {
  return Object.hasOwn(plans, text);
}
