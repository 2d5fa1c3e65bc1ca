/** What a campaign needs to be sent. */
import type { GatewaySettings } from "#lib/outreach/gateways/schema";
import { AppError } from "#lib/platform/errors";
import { parseId } from "#lib/platform/ids";
import type { Connection } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { nextAllowed, quietOf } from "./quiet.ts";
import { countDue } from "./recipient-store.ts";
import { openText, UnknownColumn } from "./rendering.ts";
import type { StartSending } from "./schema.ts";
import { type CampaignRow, findCampaign } from "./store.ts";

/** Throws not_found. */
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

export function invalid(message: string): AppError {
  return new AppError("unprocessable_entity", message);
}

/** A campaign is checked when it is written; this holds whatever was stored. */
export function assertSendable(row: CampaignRow, settings: GatewaySettings): void {
  if (row.erasing) {
    throw new AppError("conflict", "The personal data of this campaign was erased.");
  }
  if (row.recipients === 0) throw invalid("Add recipients before you start the campaign.");
  const consent = [row.consent_source, row.consent_on, row.sender_name, row.opt_out_text];
  if (row.kind === "marketing" && consent.includes(null)) {
    throw invalid(
      "A marketing campaign needs consentSource, consentOn, senderName and optOutText.",
    );
  }
  try {
    openText(row, settings);
  } catch (error) {
    if (error instanceof UnknownColumn) throw invalid(`gatewayId: ${error.message}`);
    throw error;
  }
}

/** Quiet hours must leave some time in all zones of each country. */
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
  throw invalid(`quietHours: They leave no time for ${never.join(", ")}. Make them shorter.`);
}
