/**
 * Creating links, always as a batch: authorize → domains → codes from the pool → one insert with its outbox rows → commit
 * → publish → one outcome a row. The insert itself is the business of links/writing.
 */
import type { Refusal } from "#lib/links/fields";
import type { Link, NewLink } from "#lib/links/fields/schema";
import { openDomains } from "#lib/links/hosts";
import { openPool } from "#lib/links/keys";
import { presentLink, showById } from "#lib/links/presenting";
import { drainCommits } from "#lib/links/writing";
import { AppError } from "#lib/platform/errors";
import { onClose } from "#lib/platform/shutdown";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { makeLinks, metIds } from "./create.ts";
import type { Maker } from "./draft.ts";

export { checkKey } from "./availability.ts";
export { createLinksInBulk, type RowOutcome } from "./bulk.ts";
export { makeUnmatched } from "./create.ts";
export type { Maker } from "./draft.ts";
export { duplicateLink } from "./duplicate.ts";

export { type PreparedRows, prepareRows, writeRows } from "./prepared-rows.ts";
export type { RowFailure } from "./rows.ts";
export { slicesOf } from "./rows.ts";
export { tryRows } from "./trial.ts";

export type LinkOutcome = { ok: true; link: Link } | Refusal;

/** Fills the pool of codes and makes the installation's own domain. */
export async function openLinks(): Promise<void> {
  await openDomains();
  await openPool();
  onClose("links", drainCommits);
}

const apiMaker = { source: "api", prefill: true } as const;

/** Makes links; one outcome for each, in their order. An answered link is committed. */
export async function createLinks(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  maker: Maker = apiMaker,
): Promise<LinkOutcome[]> {
  assertMay(scope, "links.write");
  const outcomes = await Promise.all(await makeLinks(scope, bodies, maker));
  const met = await showById(scope, metIds(outcomes));
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome;
    const shown = "found" in outcome ? met.get(outcome.found) : outcome;
    if (!shown) throw deletedMeanwhile();
    return { ok: true, link: presentLink(shown.row, shown.context) };
  });
}

function deletedMeanwhile(): AppError {
  const message = "The link for this url was deleted at the same moment. Send the request again.";
  return new AppError("conflict", message);
}
