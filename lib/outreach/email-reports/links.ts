/**
 * The links in the emails: the id of the recipient, encrypted as one block. Only the owner of the address gets them, so the
 * same one confirms the address and unsubscribes it. Opening them changes nothing, because scanners of emails open links too.
 */
import { config } from "#lib/platform/config";
import { sealBlock, unsealBlock } from "#lib/platform/sealing";

/** Emails that were sent have these links, so the keys of earlier secrets are kept. */
export const reportLinkPurpose = "report-links";
const tokenPattern = /^[\w-]{22}$/;

export function stopUrl(recipientId: string): string {
  return `${config().FUXI_URL}/optout/report?t=${tokenOf(recipientId)}`;
}

export function confirmUrl(recipientId: string): string {
  return `${config().FUXI_URL}/verify/report?t=${tokenOf(recipientId)}`;
}

function tokenOf(recipientId: string): string {
  const block = Buffer.from(recipientId.replaceAll("-", ""), "hex");
  return sealBlock(reportLinkPurpose, block).toString("base64url");
}

/** The UUIDs that a token may mean: one for each secret that the instance has had. */
export async function recipientIdsOf(token: string): Promise<string[]> {
  if (!tokenPattern.test(token)) return [];
  const blocks = await unsealBlock(reportLinkPurpose, Buffer.from(token, "base64url"));
  return blocks.map((block) =>
    block.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
  );
}
