/** Plans as data: limits, where `null` is unlimited, and capabilities. */
import { type PlanName, planNames } from "#lib/platform/config/schema";
import { type Capability, capabilityNames, type LimitName, type OwnLimits } from "./schema.ts";

export interface Plan {
  limits: Readonly<Record<LimitName, number | null>>;
  capabilities: readonly Capability[];
  /** Days after the last visit until links created with the API retire; null: as the instance, 0: never. */
  retireApiDays: number | null;
}

/** For operators who sell Fuxi. On an instance without billing every workspace has `enterprise`. */
export const plans = {
  free: {
    limits: {
      ...{ links: 1_000, domains: 3, tags: 5, folders: 3, members: 1, apiKeys: 5 },
      callsPerMinute: 60,
      clicksKeptDays: 30,
    },
    capabilities: [],
    retireApiDays: 365,
  },
  trial: {
    limits: {
      ...{ links: 10_000, domains: 10, tags: 25, folders: 20, members: 10, apiKeys: 20 },
      callsPerMinute: 600,
      clicksKeptDays: 90,
    },
    capabilities: capabilityNames,
    retireApiDays: null,
  },
  personal: {
    limits: {
      ...{ links: 50_000, domains: 20, tags: 100, folders: 50, members: 3, apiKeys: 50 },
      callsPerMinute: 1_200,
      clicksKeptDays: 365,
    },
    capabilities: capabilityNames,
    retireApiDays: null,
  },
  enterprise: {
    limits: {
      ...{ links: null, domains: null, tags: null, folders: null, members: null, apiKeys: null },
      callsPerMinute: null,
      clicksKeptDays: null,
    },
    capabilities: capabilityNames,
    retireApiDays: null,
  },
} satisfies Readonly<Record<PlanName, Plan>>;

/** The plan of a name, whichever it is. */
export function planNamed(name: PlanName): Plan {
  return plans[name];
}

/** What a workspace may use: its plan, and limits of its own. */
export interface PlanGrant {
  readonly plan: PlanName;
  readonly limits: OwnLimits | null;
}

/** The limit that applies; null: unlimited. */
export function limitOf({ plan, limits }: PlanGrant, name: LimitName): number | null {
  const own = limits?.[name];
  return own === undefined ? planNamed(plan).limits[name] : own;
}

export function includes({ plan }: PlanGrant, capability: Capability): boolean {
  return planNamed(plan).capabilities.includes(capability);
}

/** The capabilities that the plan does not include. */
export function listLocked(grant: PlanGrant): Capability[] {
  return capabilityNames.filter((capability) => !includes(grant, capability));
}

/** The first plan with a capability that can be kept: the trial ends. */
export function planWith(capability: Capability): PlanName {
  const found = planNames.find(
    (name) => name !== "trial" && planNamed(name).capabilities.includes(capability),
  );
  if (!found) throw new Error(`No plan has ${capability}`);
  return found;
}

/** A plan from the database; any other text is a bug. */
export function planOf(text: string): PlanName {
  const name = planNames.find((one) => one === text);
  if (name === undefined) throw new Error(`Unknown plan "${text}"`);
  return name;
}
