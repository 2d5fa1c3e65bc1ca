/** The support address, for plans that include it. */
import { config } from "#lib/platform/config";
import type { PlanGrant } from "#lib/tenancy/plans";
import { assertIncluded } from "#lib/tenancy/quotas";

export function offersSupport(): boolean {
  return config().FUXI_SUPPORT_CONTACT !== undefined;
}

export function readSupportContact(grant: PlanGrant): string | undefined {
  assertIncluded(grant, "support");
  return config().FUXI_SUPPORT_CONTACT;
}
