/**
 * The messages of a campaign as a file for a gateway, in the order of adding. One page is decrypted at a time, and nothing
 * of it is stored. A phone that opted out, or whose link was deleted, is left out.
 */

import { hidePhone } from "#lib/outreach/people";
import { csvLine, type SentFile, utf8Mark, withExportSlot } from "#lib/platform/downloads";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listRecipientPage } from "./reading.ts";
import type { ExportMessages, Recipient } from "./schema.ts";
import type { CampaignRow } from "./store.ts";

const rowsAtOnce = 1_000;
const columns = ["messageId", "phone", "text", "country", "parts", "variant", "shortLink"];

export function messagesFile(
  scope: WorkspaceScope,
  campaign: CampaignRow,
  { format }: ExportMessages,
): SentFile {
  const csv = format === "csv";
  const send: SentFile["send"] = async (write) => {
    if (csv) await write(Buffer.from(utf8Mark + csvLine(columns)));
    for await (const page of pagesOf(scope, campaign, "ready")) {
      const lines = page.flatMap((recipient) => lineOf(recipient, csv));
      if (lines.length > 0) await write(Buffer.from(lines.join("")));
    }
  };
  return csv
    ? withExportSlot({ name: "fuxi-messages.csv", type: "text/csv; charset=utf-8", send })
    : withExportSlot({
        name: "fuxi-messages.jsonl",
        type: "application/jsonl; charset=utf-8",
        send,
      });
}

async function* pagesOf(
  scope: WorkspaceScope,
  campaign: CampaignRow,
  status: "ready" | undefined,
): AsyncGenerator<Recipient[]> {
  let startingAfter = 0;
  let found = rowsAtOnce;
  while (found === rowsAtOnce) {
    const filter = { status, pageSize: rowsAtOnce, startingAfter };
    const page = await listRecipientPage(scope, campaign, filter);
    found = page.length;
    startingAfter = page.at(-1)?.position ?? 0;
    yield page;
  }
}

/** The recipients of a campaign for a file that may be stored. */
export async function* maskedPages(
  scope: WorkspaceScope,
  campaign: CampaignRow,
): AsyncGenerator<object[]> {
  for await (const page of pagesOf(scope, campaign, undefined)) {
    yield page.map(({ columns: _columns, text: _text, phone, ...recipient }) => {
      return { campaignId: campaign.id, ...recipient, phone: phone && hidePhone(phone) };
    });
  }
}

function lineOf(recipient: Recipient, csv: boolean): string[] {
  const { messageId, phone, text, country, parts, variant, shortLink } = recipient;
  if (phone === null || text === null) return [];
  if (!csv) {
    const message = { messageId, phone, text, country, parts, variant, shortLink };
    return [`${JSON.stringify(message)}\n`];
  }
  // Only digits: a spreadsheet would read + as the start of a formula.
  return [csvLine([messageId, phone.slice(1), text, country, parts, variant, shortLink])];
}
