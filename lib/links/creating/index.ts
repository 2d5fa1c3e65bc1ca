import { openDomains } from "#lib/links/hosts";
import { openPool } from "#lib/links/keys";
import { drainCommits } from "#lib/links/writing";
import { onClose } from "#lib/platform/processes";

export { checkKey } from "./availability.ts";
export { createLinksInBulk, type RowOutcome } from "./bulk.ts";
export { createLinks, createUnmatched, type LinkOutcome } from "./create.ts";
export { dryRunRows } from "./dry-run.ts";
export { duplicateLink } from "./duplicate.ts";
export type { CreateOptions } from "./prepared-link.ts";
export { type PreparedRows, prepareRows, writeRows } from "./prepared-rows.ts";
export type { RowFailure } from "./rows.ts";

export async function openLinks(): Promise<void> {
  await openDomains();
  await openPool();
  onClose("links", drainCommits);
}
