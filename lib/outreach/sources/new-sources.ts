/** Creates sources: uploaded files, and recipients of other campaigns. */

import { newId } from "#lib/basics/ids";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { tableError } from "#lib/platform/tables";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertIncluded } from "#lib/tenancy/quotas";
import { countAudience } from "./audience.ts";
import { isHeading, receiveSource, removeFile } from "./files.ts";
import { guessMapping } from "./mapping.ts";
import {
  type AddAudience,
  type RecipientSource,
  sourceBytesKeptMax,
  sourceBytesMax,
  sourceDays,
  sourcesMax,
  type UploadRecipients,
} from "./schema.ts";
import {
  countStored,
  getCampaignFacts,
  getSourceRow,
  insertSource,
  present,
  sumBytes,
} from "./store.ts";

type NewSource = Parameters<typeof insertSource>[3];

const gigabyte = 1_073_741_824;
const megabyte = 1_048_576;

export async function assertMayAdd(scope: WorkspaceScope): Promise<void> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "bulk");
  await assertFeatureOn("bulk");
  if (scope.userPk === null) throw new AppError("forbidden", "Only members can add recipients.");
}

export async function uploadRecipients(
  scope: WorkspaceScope,
  campaignId: string,
  body: ReadableStream<Uint8Array> | null,
  {
    name,
    delimiter,
    declaredBytes = 0,
    signal,
  }: UploadRecipients & { declaredBytes?: number; signal?: AbortSignal },
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.write");
  const campaign = await getCampaignFacts(scope, campaignId);
  await assertMayAdd(scope);
  if (declaredBytes > sourceBytesMax) {
    throw tableError("file_too_large", { megabytes: sourceBytesMax / megabyte });
  }
  if (!body) throw tableError("file_empty");
  const id = newId("src");
  const { defaultCountry: country } = campaign;
  const sender = { workspaceId: scope.workspaceId, signal };
  const received = await receiveSource(id, body, { delimiter, declaredBytes, country, sender });
  const { head, records, width, bytes, key } = received;
  try {
    const [first] = head;
    if (!first) throw tableError("file_empty");
    const heading = isHeading(first, country);
    const mapping = guessMapping(
      heading ? first : undefined,
      head.slice(heading ? 1 : 0),
      campaign,
    );
    const file = { id, name: name || "recipients.csv", records, width, bytes, heading, mapping };
    return await store(scope, campaignId, { ...file, file_key: key });
  } catch (error) {
    await removeFile(id);
    throw error;
  }
}

export async function addAudience(
  scope: WorkspaceScope,
  campaignId: string,
  { campaignId: otherId, audience }: AddAudience,
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.write");
  const campaign = await getCampaignFacts(scope, campaignId);
  await assertMayAdd(scope);
  const other = await getCampaignFacts(scope, otherId);
  if (other.id === campaign.id) {
    throw new AppError("unprocessable_entity", "campaignId: Choose another campaign.");
  }
  const known = new Set(other.columns.map(({ name }) => name));
  const shared = campaign.columns.flatMap(({ name }) => (known.has(name) ? [[name, 0]] : []));
  return await store(scope, campaignId, {
    id: newId("src"),
    name: other.name,
    records: await countAudience(scope, otherId, audience),
    audience,
    from_campaign_id: otherId,
    mapping: { phone: null, messageId: null, columns: Object.fromEntries(shared) },
  });
}

async function store(
  scope: WorkspaceScope,
  campaignId: string,
  row: NewSource,
): Promise<RecipientSource> {
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    // Concurrent uploads wait for each other here, so that the limits hold.
    await lockWorkspace(tx, workspacePk);
    const { sources, bytes } = await countStored(workspacePk, tx);
    const more = row.bytes ?? 0;
    if (sources >= sourcesMax || bytes + more > sourceBytesKeptMax) {
      const message = `A workspace can keep up to ${sourcesMax} sources of recipients with ${sourceBytesKeptMax / gigabyte} GB of files. They are deleted ${sourceDays} days after their end.`;
      throw new AppError("conflict", message, {
        problem: "sources_full",
        params: { max: sourcesMax, gigabytes: sourceBytesKeptMax / gigabyte, days: sourceDays },
      });
    }
    if ((await sumBytes(tx)) + more > config().FUXI_IMPORTS_GB_MAX * gigabyte) {
      const message = "This instance has no room for more files. Contact your administrator.";
      throw new AppError("service_unavailable", message, { retryAfterSeconds: 3_600 });
    }
    if (!(await insertSource(tx, scope, campaignId, row))) {
      throw new AppError("not_found", `Campaign "${campaignId}" not found in this workspace.`);
    }
    const details = { name: row.name, rows: row.records };
    const action = "recipients.create" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: campaignId, details }]);
  });
  return present(await getSourceRow(scope, row.id));
}
