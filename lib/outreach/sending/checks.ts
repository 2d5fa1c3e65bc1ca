/** Checks whether a campaign can be sent. */

import { parseId } from "#lib/basics/ids";
import type { GatewaySettings } from "#lib/outreach/gateways/schema";
import { allNameOptOut } from "#lib/outreach/messages";
import { AppError } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { openText, UnknownColumn } from "./message-text.ts";
import { nextAllowed, quietOf } from "./quiet.ts";
import { countDue } from "./recipient-store.ts";
import type { StartSending } from "./schema.ts";
import { type CampaignRow, findCampaign } from "./store.ts";

export async function getRow(
  scope: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<CampaignRow> {
  const reader = { workspacePk: scope.workspacePk, creatorPk: onlyCreatorPk(scope) };
  const row = parseId("camp", id) === undefined ? undefined : await findCampaign(reader, id, tx);
  if (row) return row;
  throw new AppError("not_found", `Campaign "${id}" not found in this workspace.`);
}

/** Campaigns are checked when they are written. This checks again, whatever was stored. */
export function assertSendable(row: CampaignRow, settings: GatewaySettings): void {
  if (row.erasing) {
    const message =
      "The personal data of this campaign was erased, so it can’t be sent. Create a new campaign.";
    throw new AppError("conflict", message, { problem: "campaign_erased" });
  }
  if (row.recipients === 0) {
    const message = "Add recipients before you start the campaign.";
    throw new AppError("unprocessable_entity", message, { problem: "campaign_empty" });
  }
  const optOut = allNameOptOut(row.variants, row.columns) ? "" : row.opt_out_text;
  const consent = [row.consent_source, row.consent_on, row.sender_name, optOut];
  if (row.kind === "marketing" && consent.includes(null)) {
    const message =
      "A marketing campaign needs consentSource, consentOn, senderName, and optOutText or {optout} in every message.";
    throw new AppError("unprocessable_entity", message, { problem: "consent_missing" });
  }
  try {
    openText(row, settings);
  } catch (error) {
    if (!(error instanceof UnknownColumn)) throw error;
    throw new AppError("unprocessable_entity", `gatewayId: ${error.message}`, {
      problem: "gateway_column",
    });
  }
}

/** Quiet hours must leave some time in every zone of each country. */
export async function assertHours(
  { zone }: WorkspaceScope,
  row: CampaignRow,
  { quietHours }: StartSending,
): Promise<void> {
  if (!quietHours) return;
  const quiet = quietOf(quietHours);
  const countries = new Set((await countDue(row.pk)).map(({ country }) => country ?? ""));
  const never = [...countries].filter(
    (country) => nextAllowed(quiet, country, zone, Date.now()) === undefined,
  );
  if (never.length === 0) return;
  const names = never.join(", ");
  const message = `quietHours: These hours leave no time to send to ${names}. Make them shorter.`;
  throw new AppError("unprocessable_entity", message, {
    problem: "quiet_never",
    params: { countries: names },
  });
}
