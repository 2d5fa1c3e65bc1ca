import { type PlanName, planNames } from "#lib/platform/config/schema";
import {
  type Capability,
  capabilityNames,
  type LimitName,
  type OwnLimits,
  type Plan,
  plans,
} from "./schema.ts";

export {
  type RetirementRules,
  type RetirementSettings,
  retirementColumns,
  rulesOf,
} from "./retirement.ts";
export { plans } from "./schema.ts";

export function planNamed(name: PlanName): Plan {
  return plans[name];
}

export interface PlanGrant {
  readonly plan: PlanName;
  readonly limits: OwnLimits | null;
}

/** Null: unlimited. */
export function limitOf({ plan, limits }: PlanGrant, name: LimitName): number | null {
  const own = limits?.[name];
  return own === undefined ? planNamed(plan).limits[name] : own;
}

export function includes({ plan }: PlanGrant, capability: Capability): boolean {
  return planNamed(plan).capabilities.includes(capability);
}

export function listLocked(grant: PlanGrant): Capability[] {
  return capabilityNames.filter((capability) => !includes(grant, capability));
}

export function planWith(capability: Capability): PlanName {
  const found = planNames.find(
    (name) => name !== "trial" && planNamed(name).capabilities.includes(capability),
  );
  if (!found) throw new Error(`No plan has ${capability}`);
  return found;
}

export function planOf(text: string): PlanName {
  const name = planNames.find((one) => one === text);
  if (name === undefined) throw new Error(`Unknown plan "${text}"`);
  return name;
}
