/**
 * The messages of a campaign as a file for a gateway, and its recipients as a file, both in the order of adding.
 * Each page of messages is decrypted while the next one is read, and nothing is stored. Messages leave out phones that opted out
 * and rows with deleted links.
 */
import { shortUrl } from "#lib/links/hosts";
import { hidePhone, unsealPerson } from "#lib/outreach/people";
import { type LinkedRow, withClicked, withLinkNames } from "#lib/outreach/recipient-links";
import { mapInSlices } from "#lib/platform/batches";
import { recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import { phoneCell } from "#lib/platform/phones";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { type OpenCampaign, openTemplates, renderStored } from "./candidates.ts";
import { listRecipientPage } from "./reading.ts";
import type { ExportMessages, ExportRecipients, MessageColumn, Recipient } from "./schema.ts";
import type { CampaignRow } from "./store.ts";

const rowsAtOnce = 1_000;

export function messagesFile(
  { workspacePk }: WorkspaceScope,
  row: CampaignRow,
  { format, columns, clicked }: ExportMessages,
): SentFile {
  const campaign = openTemplates(row);
  return withExportSlot(
    recordsFile({
      name: "fuxi-messages",
      format,
      columns,
      cellsOf: (message) =>
        columns.map((name) => (name === "phone" ? phoneCell(message.phone) : message[name])),
      lineOf: (message) => Object.fromEntries(columns.map((name) => [name, message[name]])),
      pages: () => messagesOf(workspacePk, campaign, clicked),
    }),
  );
}

/** Without people.view, phones are masked, and texts and columns are empty. */
export function recipientsFile(
  scope: WorkspaceScope,
  campaign: CampaignRow,
  { format, ...filter }: ExportRecipients,
): SentFile {
  const names = campaign.columns.map(({ name }) => name);
  return withExportSlot(
    recordsFile<Recipient>({
      name: "fuxi-recipients",
      format,
      columns: [...recipientColumns, ...names.map((name) => `columns.${name}`)],
      cellsOf: (recipient) => [
        ...recipientColumns.map((name) => recipientCell(recipient, name)),
        ...names.map((name) => recipient.columns?.[name] ?? null),
      ],
      pages: () => recipientPages(scope, campaign, filter),
    }),
  );
}

const recipientColumns = [
  "messageId",
  "phone",
  "status",
  "code",
  "optedOut",
  "clicks",
  "lastClickedAt",
  "country",
  "variant",
  "parts",
  "shortLink",
  "text",
  "recipientId",
  "linkId",
] as const satisfies (keyof Recipient)[];

function recipientCell(
  recipient: Recipient,
  name: (typeof recipientColumns)[number],
): string | number | null {
  if (name === "phone") return phoneCell(recipient.phone ?? "");
  const value = recipient[name];
  return typeof value === "boolean" ? String(value) : value;
}

async function* messagesOf(
  workspacePk: number,
  campaign: OpenCampaign,
  clicked: boolean | undefined,
): AsyncGenerator<Message[]> {
  for await (const page of messagePages({ campaignPk: campaign.row.pk, clicked })) {
    // Open the keys again for each page, because they may have been rotated since the last one.
    const keys = await openPeopleKeys(workspacePk);
    const messages = await mapInSlices(page, (one) => messageOf(campaign, keys, one));
    yield messages.flatMap((message) => message ?? []);
  }
}

interface MessageFilter {
  campaignPk: number;
  clicked: boolean | undefined;
}

async function* messagePages(filter: MessageFilter): AsyncGenerator<MessageRow[]> {
  let reading = findMessagePage(filter, 0, rowsAtOnce);
  for (;;) {
    const page = await reading;
    const last = page.at(-1);
    if (!last) return;
    reading = findMessagePage(filter, last.position, rowsAtOnce);
    // A failure is thrown when the page is awaited. Until then, it must not count as unhandled.
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

async function* recipientPages(
  scope: WorkspaceScope,
  campaign: CampaignRow,
  filter: Omit<ExportRecipients, "format">,
): AsyncGenerator<Recipient[]> {
  let startingAfter = 0;
  let found = rowsAtOnce;
  while (found === rowsAtOnce) {
    const part = { ...filter, pageSize: rowsAtOnce, startingAfter };
    const page = await listRecipientPage(scope, campaign, part);
    found = page.length;
    startingAfter = page.at(-1)?.position ?? 0;
    yield page;
  }
}

export async function* maskedPages(
  scope: WorkspaceScope,
  campaign: CampaignRow,
): AsyncGenerator<object[]> {
  for await (const page of recipientPages(scope, campaign, {})) {
    yield page.map(({ columns: _columns, text: _text, phone, ...recipient }) => {
      return { campaignId: campaign.id, ...recipient, phone: phone && hidePhone(phone) };
    });
  }
}

interface MessageRow {
  position: number;
  id: string;
  message_id: string;
  key_version: number;
  sealed: Buffer;
  country: string;
  variant: number;
  parts: number;
  slug: string;
  key: string;
}

async function findMessagePage(
  { campaignPk, clicked }: MessageFilter,
  after: number,
  limit: number,
): Promise<MessageRow[]> {
  const page: MessageRow[] = [];
  for (let position = after; ; ) {
    const rows = await listWritten(campaignPk, position, limit);
    for (const { slug, key, ...row } of await withLinkNames(await withClicked(rows, clicked))) {
      if (slug !== null) page.push({ ...row, slug, key });
    }
    const last = rows.at(-1);
    if (!last || page.length >= limit) return page.slice(0, limit);
    position = last.position;
  }
}

type WrittenRow = Omit<MessageRow, "slug" | "key"> & LinkedRow;

function listWritten(campaignPk: number, after: number, limit: number): Promise<WrittenRow[]> {
  // Answered by campaign_recipient_pkey, in the order of positions. The scalar subquery runs once
  // per row: as a join it would read all recipients, perhaps a million, for each page.
  return query(sql`
    SELECT recipient.position, recipient.id, recipient.message_id, recipient.key_version,
      recipient.sealed, recipient.country, recipient.variant, recipient.parts,
      recipient.link_pk, recipient.link_id
    FROM campaign_recipient AS recipient
    WHERE recipient.campaign_pk = ${campaignPk}
      AND recipient.position > ${after}
      AND recipient.state = 'ready'
      AND recipient.sealed IS NOT NULL
      AND (
        SELECT true
        FROM opt_out
        WHERE opt_out.workspace_pk = recipient.workspace_pk
          AND opt_out.phone_hash = recipient.phone_hash
        LIMIT 1
      ) IS NULL
    ORDER BY recipient.position
    LIMIT ${limit}`);
}
