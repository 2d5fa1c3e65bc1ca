/** For tests of sources of recipients. */
import { uploadRecipients } from "#lib/outreach/sources";
import type { RecipientSource } from "#lib/outreach/sources/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** Uploads a text as a file. */
export function uploadText(
  scope: WorkspaceScope,
  campaignId: string,
  text: string | Uint8Array<ArrayBuffer>,
  name = "people.csv",
): Promise<RecipientSource> {
  return uploadRecipients(scope, campaignId, new Blob([text]).stream(), { name });
}

/** A file with a header: phones in mainland China, each with a name. */
export function fileOfRecipients(count: number, first = 0): string {
  const lines = Array.from(
    { length: count },
    (_, at) => `Person ${first + at},138${10_000_000 + first + at}`,
  );
  return `name,phone\n${lines.join("\n")}\n`;
}
