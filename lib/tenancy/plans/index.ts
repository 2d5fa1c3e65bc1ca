/** What a workspace may use, by its plan and limits of its own. */
import { type PlanName, planNames } from "#lib/platform/config/schema";
import {
  type Capability,
  capabilityNames,
  type LimitName,
  type OwnLimits,
  type Plan,
  plans,
} from "./schema.ts";

export { plans } from "./schema.ts";

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
