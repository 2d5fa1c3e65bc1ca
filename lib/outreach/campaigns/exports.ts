/**
 * The messages of a campaign as a file for a gateway, in the order of adding. One page is decrypted at a time, while the
 * next one is read, and nothing of it is stored. A phone that opted out, or whose link was deleted, is left out.
 */
import { shortUrl } from "#lib/links/hosts";
import { hidePhone, unsealPerson } from "#lib/outreach/people";
import { mapInSlices } from "#lib/platform/batches";
import { recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { type OpenCampaign, openTemplates, renderStored } from "./candidates.ts";
import { findMessagePage, type MessageRow } from "./message-rows.ts";
import { listRecipientPage } from "./reading.ts";
import type { ExportMessages, MessageColumn } from "./schema.ts";
import type { CampaignRow } from "./store.ts";

const rowsAtOnce = 1_000;

export function messagesFile(
  { workspacePk }: WorkspaceScope,
  row: CampaignRow,
  { format, columns }: ExportMessages,
): SentFile {
  const campaign = openTemplates(row);
  return withExportSlot(
    recordsFile({
      name: "fuxi-messages",
      format,
      columns,
      // Only digits: a spreadsheet would read + as the start of a formula.
      cellsOf: (message) =>
        columns.map((name) => (name === "phone" ? message.phone.slice(1) : message[name])),
      lineOf: (message) => Object.fromEntries(columns.map((name) => [name, message[name]])),
      pages: () => messagesOf(workspacePk, campaign),
    }),
  );
}

async function* messagesOf(workspacePk: number, campaign: OpenCampaign): AsyncGenerator<Message[]> {
  for await (const page of messagePages(campaign.row.pk)) {
    // Of each page: a key that is dropped meanwhile has none of its rows any more.
    const keys = await openPeopleKeys(workspacePk);
    const messages = await mapInSlices(page, (one) => messageOf(campaign, keys, one));
    yield messages.flatMap((message) => message ?? []);
  }
}

async function* messagePages(campaignPk: number): AsyncGenerator<MessageRow[]> {
  let reading = findMessagePage(campaignPk, 0, rowsAtOnce);
  for (;;) {
    const page = await reading;
    const last = page.at(-1);
    if (!last) return;
    reading = findMessagePage(campaignPk, last.position, rowsAtOnce);
    // It is awaited later and throws there; until then it must not count as unhandled.
    reading.catch(() => undefined);
    yield page;
  }
}

type Message = Record<MessageColumn, string | number> & { phone: string };

function messageOf(campaign: OpenCampaign, keys: PeopleKeys, row: MessageRow): Message | undefined {
  const { id, message_id: messageId, key_version: version, sealed, country, variant, parts } = row;
  const { phone, columns: values } = unsealPerson(keys, { version, sealed }, id);
  const shortLink = shortUrl(row.slug, row.key);
  const text = renderStored(campaign, { id, columns: values, country, variant }, shortLink);
  if (text === null) return undefined;
  const name = campaign.row.variants[variant]?.name ?? "";
  return { messageId, phone, text, country, parts, variant: name, shortLink, code: row.key };
}

/** The recipients of a campaign for a file that may be stored. */
export async function* maskedPages(
  scope: WorkspaceScope,
  campaign: CampaignRow,
): AsyncGenerator<object[]> {
  let startingAfter = 0;
  let found = rowsAtOnce;
  while (found === rowsAtOnce) {
    const filter = { pageSize: rowsAtOnce, startingAfter };
    const page = await listRecipientPage(scope, campaign, filter);
    found = page.length;
    startingAfter = page.at(-1)?.position ?? 0;
    yield page.map(({ columns: _columns, text: _text, phone, ...recipient }) => {
      return { campaignId: campaign.id, ...recipient, phone: phone && hidePhone(phone) };
    });
  }
}
