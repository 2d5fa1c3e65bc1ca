/**
 * Inserts links in a transaction, step by step. If a pk is taken (reserved for an alias that
 * encodes its code), the link gets another one. An existing row with the same id is accepted: the
 * batch was committed before, and its answer was lost.
 */
import { dropUsedCodes, takeCodes } from "#lib/links/keys";
import { targetEntry } from "#lib/links/link-cache";
import { claimNames, dropNames, insertRows, type LinkRow } from "#lib/links/link-rows";
import { recordLinkEvents } from "#lib/links/presenting";
import { insertSearch } from "#lib/links/search";
import { type CacheChange, recordChanges } from "#lib/platform/cache-sync";
import { exposeCounters } from "#lib/platform/log";
import { type Connection, sql } from "#lib/platform/postgres";
import { returnFirstLinks, takeFirstLinks, takeQuota } from "#lib/tenancy/quotas";
import type { Draft, WriteOutcome } from "./drafts.ts";
import { claimRepeats, dropRepeats } from "./idempotency.ts";
import { insertUnmatched } from "./match.ts";

export const commitCounters = {
  pksRefused: 0,
  keysRedrawn: 0,
  batches: 0,
  links: 0,
  lostConnections: 0,
};
exposeCounters("link_commits", "Links written, and conflicts and retries.", commitCounters);

const drawsMax = 8;

/** Gives a link another pk, and another code if its key is generated. */
export async function renewPk(row: LinkRow): Promise<void> {
  commitCounters.pksRefused += 1;
  const [fresh] = await takeCodes(1);
  if (!fresh) throw new Error("The code pool returned no code");
  row.pk = fresh.pk;
  if (!row.alias) row.key = fresh.code;
}

/** Some pks are taken. The whole transaction is rolled back. */
export class TakenPks extends Error {
  readonly #drafts: readonly Draft[];

  constructor(drafts: readonly Draft[]) {
    super("Some primary keys are taken");
    this.#drafts = drafts;
  }

  /** Gives the drafts other pks, so that another transaction can insert them. */
  async renew(): Promise<void> {
    for (const { row } of this.#drafts) await renewPk(row);
  }
}

/** Returns one outcome each, in order. Draws taken keys again. Throws TakenPks. */
export async function insertLinks(tx: Connection, drafts: readonly Draft[], revision: number) {
  const outcomes = new Map<Draft, WriteOutcome>();
  let left = drafts;
  for (let draws = 0; left.length > 0; draws++) {
    for (const [draft, outcome] of await insertRound(tx, left, revision)) {
      outcomes.set(draft, outcome);
    }
    left = left.filter((draft) => draft.redraw && isKeyTaken(outcomes.get(draft)));
    if (draws === drawsMax) {
      for (const draft of left) outcomes.set(draft, { ok: false, code: "keys_used_up" });
      break;
    }
    commitCounters.keysRedrawn += left.length;
    for (const draft of left) draft.redraw?.();
  }
  return drafts.map((draft) => outcomes.get(draft) ?? missingOutcome());
}

function isKeyTaken(outcome: WriteOutcome | undefined): boolean {
  return outcome?.ok === false && outcome.code === "key_taken";
}

function missingOutcome(): never {
  throw new Error("An insert returned too few outcomes");
}

type DraftOutcomes = [draft: Draft, outcome: WriteOutcome][];

async function insertRound(
  tx: Connection,
  drafts: readonly Draft[],
  revision: number,
): Promise<DraftOutcomes> {
  const fresh = drafts.filter(({ match }) => match === undefined);
  const matchings = drafts.flatMap((draft) => (draft.match ? [{ draft, match: draft.match }] : []));
  const insert = (batch: readonly Draft[]) => insertFresh(tx, batch, revision);
  const created = fresh.length > 0 ? await insert(fresh) : [];
  const matched = matchings.length > 0 ? await insertUnmatched(tx, matchings, insert) : [];
  return [
    ...fresh.map((draft, at): DraftOutcomes[number] => [draft, created[at] ?? missingOutcome()]),
    ...matchings.map(({ draft }, at): DraftOutcomes[number] => [
      draft,
      matched[at] ?? missingOutcome(),
    ]),
  ];
}

/** Returns one outcome per draft, in order. Throws TakenPks. */
async function insertFresh(
  tx: Connection,
  drafts: readonly Draft[],
  revision: number,
): Promise<WriteOutcome[]> {
  // defence: masked-password-creates-no-link
  const usable = drafts.filter(({ masked }) => !masked);
  const repeated = await claimRepeats(tx, usable);
  const fresh = usable.filter((draft) => !repeated.has(draft));
  const takenIds = await findTakenExternalIds(tx, fresh);
  const withOwnId = fresh.filter(({ row }) => !takenIds.has(row.pk));
  const takenKeys = await claimNames(
    tx,
    withOwnId.map(({ row }) => row).filter((row) => row.alias),
  );
  const unique = withOwnId.filter(({ row }) => !takenKeys.has(row.pk));
  const overQuota = await takeLimits(tx, unique);
  const free = unique.filter((draft) => !overQuota.has(draft));
  for (const { row } of free) row.revision = revision;
  await insertDrafts(tx, free);
  await recordChanges(tx, aliasChanges(free));
  const written = new Set(free);
  const refused = fresh.filter((draft) => !written.has(draft));
  await dropRepeats(tx, refused);
  return drafts.map((draft) => {
    const settled = repeated.get(draft) ?? overQuota.get(draft);
    if (settled) return settled;
    if (draft.masked) return { ok: false, code: "password_masked" };
    if (takenIds.has(draft.row.pk)) return { ok: false, code: "external_id_taken" };
    if (takenKeys.has(draft.row.pk)) return { ok: false, code: "key_taken" };
    return { ok: true, row: draft.row, isNew: true };
  });
}

/** Nobody can have requested a new code before, so only other keys are invalidated. */
export function aliasChanges(drafts: readonly Draft[]): CacheChange[] {
  return drafts
    .filter(({ row, recycled }) => row.alias || recycled)
    .map(({ row }) => ({ entry: targetEntry(row.domain_pk, row.key), revision: row.revision }));
}

async function findTakenExternalIds(
  tx: Connection,
  drafts: readonly Draft[],
): Promise<Set<number>> {
  const named = drafts.map(({ row }) => row).filter((row) => row.external_id !== null);
  if (named.length === 0) return new Set();
  // Answered by link_external.
  const found = await tx.query<{ pk: number }>(sql`
    SELECT own.pk
    FROM unnest(
      ${named.map((row) => row.pk)}::bigint[],
      ${named.map((row) => row.workspace_pk)}::int[],
      ${named.map((row) => row.external_id)}::text[]
    ) AS own (pk, workspace_pk, external_id)
    JOIN link
      ON link.workspace_pk = own.workspace_pk
      AND link.external_id = own.external_id
    WHERE link.pk <> own.pk`);
  const taken = new Set(found.map(({ pk }) => pk));
  const seen = new Set<string>();
  for (const row of named) {
    const name = `${row.workspace_pk} ${row.external_id}`;
    if (seen.has(name)) taken.add(row.pk);
    seen.add(name);
  }
  return taken;
}

async function insertDrafts(tx: Connection, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return;
  const refused = await insertRows(tx, drafts);
  if (refused.size > 0) throw new TakenPks(drafts.filter(({ row }) => refused.has(row.pk)));
  await dropUsedCodes(
    tx,
    // defence: recycled-code-leaves-pool
    drafts.filter(({ recycled }) => recycled).map(({ row }) => row.pk),
  );
  await insertSearch(tx, drafts);
  for (const [workspacePk, pks] of byWorkspace(drafts)) {
    await recordLinkEvents(tx, workspacePk, "link.created", pks);
  }
}

function byWorkspace(drafts: readonly Draft[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const { row } of drafts) {
    const pks = groups.get(row.workspace_pk) ?? [];
    groups.set(row.workspace_pk, pks);
    pks.push(row.pk);
  }
  return groups;
}

type Refusals = Map<Draft, WriteOutcome>;

/** Drafts above a limit of the plan or of a new workspace release their names. */
async function takeLimits(tx: Connection, drafts: readonly Draft[]): Promise<Refusals> {
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
