import { dropNames } from "#lib/links/link-rows";
import type { Connection } from "#lib/platform/postgres";
import { returnFirstLinks, takeFirstLinks, takeQuota } from "#lib/tenancy/quotas";
import type { Draft, WriteOutcome } from "./drafts.ts";

type Refusals = Map<Draft, WriteOutcome>;

/**
 * Counts drafts against the limits of plans and new workspaces. Drafts above a limit release their
 * names.
 */
export async function takeLimits(tx: Connection, drafts: readonly Draft[]): Promise<Refusals> {
  const refused: Refusals = new Map();
  const limited = drafts.filter((draft) => draft.limitedScope ?? draft.newScope);
  // In the order of the workspaces, so that two batches cannot deadlock.
  const workspaces = [...new Set(limited.map(({ row }) => row.workspace_pk))].sort((a, b) => a - b);
  for (const pk of workspaces) {
    const ofOne = limited.filter(({ row }) => row.workspace_pk === pk);
    await takeOfOne(tx, ofOne, refused);
  }
  const names = [...refused.keys()].map(({ row }) => row);
  if (names.length > 0) await dropNames(tx, names);
  return refused;
}

/** Drafts that the plan refuses do not count as first links. */
async function takeOfOne(tx: Connection, drafts: readonly Draft[], refused: Refusals) {
  const shared = drafts.filter(({ newScope }) => newScope);
  const newScope = shared[0]?.newScope;
  if (newScope) {
    const taken = await takeEach(shared, (count) => takeFirstLinks(tx, newScope, count));
    for (const [draft, { message, details }] of taken) {
      refused.set(draft, { ok: false, code: "first_links_used_up", message, details });
    }
  }
  const rest = drafts.filter((draft) => draft.limitedScope && !refused.has(draft));
  const scope = rest[0]?.limitedScope;
  if (!scope) return;
  const overPlan = await takeEach(rest, (count) => takeQuota(tx, scope, "links", count));
  for (const [draft, { message }] of overPlan) {
    refused.set(draft, { ok: false, code: "quota_used_up", message });
  }
  const unused = overPlan.filter(([draft]) => draft.newScope);
  if (newScope) await returnFirstLinks(tx, newScope, unused.length);
}

/** Takes all at once or, if that is too much, one by one. Returns the drafts above the limit. */
async function takeEach<Refusal extends { ok: false }>(
  drafts: readonly Draft[],
  take: (count: number) => Promise<{ ok: true } | Refusal>,
): Promise<[Draft, Refusal][]> {
  if (drafts.length === 0 || (await take(drafts.length)).ok) return [];
  for (const [at] of drafts.entries()) {
    const taken = await take(1);
    if (!taken.ok) return drafts.slice(at).map((draft) => [draft, taken]);
  }
  return [];
}
