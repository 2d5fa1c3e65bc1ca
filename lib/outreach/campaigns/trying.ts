/** Tries rows: what would become of them, without writing anything. */

import { seesPeople } from "#lib/outreach/people";
import { partsOf } from "#lib/outreach/segments";
import { mapInSlices } from "#lib/platform/batches";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { withPeopleKeys } from "#lib/tenancy/people-keys";
import { sampleLinkOf } from "./adding.ts";
import { openTemplates, readRow, render } from "./candidates.ts";
import { lookUp, nothingKnown, planOf } from "./plan.ts";
import type { Trial } from "./schema.ts";
import type { CampaignRow } from "./store.ts";

export async function tryRows(
  scope: WorkspaceScope,
  row: CampaignRow,
  given: readonly unknown[],
): Promise<Trial[]> {
  const campaign = openTemplates(row);
  const sampleLink = await sampleLinkOf(scope, row);
  return await withPeopleKeys(scope.workspacePk, async (keys) => {
    const entries = await mapInSlices(given, (one) => readRow(campaign, keys, sampleLink, one));
    // Trying is free and leaves no trace: for others it would tell which phones opted out or are recipients.
    // defence: preview-opt-outs-need-people
    const known = seesPeople(scope) ? await lookUp({ campaign, keys }, entries) : nothingKnown;
    const plan = planOf(entries, known);
    return plan.map(({ kind, entry }): Trial => {
      if (kind === "refused") {
        const { code, message, column } = entry;
        return { ok: false, code, message, column };
      }
      const rendered = render(campaign, entry, sampleLink);
      const text = rendered.ok ? rendered.text : "";
      const { country } = entry.phone;
      return { ok: true, text, country, parts: partsOf(text, country) };
    });
  });
}
