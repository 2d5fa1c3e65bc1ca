/** Support and custom development: an address that the plan opens. */
import { config } from "#lib/platform/config";
import type { PlanGrant } from "#lib/tenancy/plans";
import { assertIncluded } from "#lib/tenancy/quotas";

/** Whether the instance offers support at all. */
export function offersSupport(): boolean {
  return config().FUXI_SUPPORT_CONTACT !== undefined;
}

/** An email address or an https URL; undefined: the instance has none. Throws unless the plan includes it. */
export function readSupportContact(grant: PlanGrant): string | undefined {
  assertIncluded(grant, "support");
  return config().FUXI_SUPPORT_CONTACT;
}
