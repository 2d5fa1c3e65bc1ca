/** Decides what becomes of each row of a slice. */
import { findOptedOut } from "#lib/outreach/opt-outs";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import { type Candidate, type OpenCampaign, type Refusal, refusal } from "./candidates.ts";
import { findMessages, findTakenPhones, type ReadyRow } from "./recipient-rows.ts";

/** Messages and phones of rows that are being written while others are prepared. */
export interface RecentRows {
  names: ReadonlySet<string>;
}

/** Whether a row repeats a message or phone of the previous slice. Remembers these rows for the next slice. */
export function repeatsRecent(recent: RecentRows, entries: readonly Entry[]): boolean {
  const names = new Set(entries.flatMap(namesOf));
  const repeats = [...names].some((name) => recent.names.has(name));
  recent.names = names;
  return repeats;
}

function namesOf(entry: Entry): string[] {
  const message = entry.messageId === null ? [] : [`message ${entry.messageId}`];
  return entry.ok ? [...message, `phone ${entry.phone.number}`] : message;
}

export interface RowSource {
  pk: number | null;
  /** Throws inside the transaction when the source may no longer add rows. */
  assertOpen?: (tx: Connection) => Promise<void>;
  before?: Promise<unknown>;
  recent?: RecentRows;
}

export interface Call {
  scope: WorkspaceScope;
  campaign: OpenCampaign;
  keys: PeopleKeys;
  sampleLink: string;
  before: Promise<unknown> | undefined;
  recent: RecentRows;
  source: RowSource;
}

export type Entry = Candidate | Refusal;

export interface Known {
  ready: Map<string, ReadyRow>;
  /** Messages that were refused before. Their rows are replaced. */
  refused: ReadonlySet<string>;
  takenPhones: ReadonlySet<string>;
  optedOut: ReadonlySet<string>;
}

export const nothingKnown: Known = {
  ready: new Map(),
  refused: new Set(),
  takenPhones: new Set(),
  optedOut: new Set(),
};

export async function lookUp(
  { campaign, keys }: Pick<Call, "campaign" | "keys">,
  entries: readonly Entry[],
): Promise<Known> {
  const ids = entries.flatMap(({ messageId }) => messageId ?? []);
  const hashes = hashesOf(entries);
  const { pk } = campaign.row;
  const [{ ready, refused }, takenPhones, optedOut] = await Promise.all([
    findMessages(pk, ids),
    findTakenPhones(keys.workspacePk, pk, hashes),
    findOptedOut(keys.workspacePk, hashes),
  ]);
  return {
    ready: new Map(ready.map((row) => [row.message_id, row])),
    refused: new Set(refused),
    takenPhones,
    optedOut,
  };
}

export function hashesOf(entries: readonly Entry[]): Buffer[] {
  return entries.flatMap((entry) => (entry.ok ? [entry.hash] : []));
}

export type Planned =
  | { kind: "fresh"; entry: Candidate }
  | { kind: "repeat"; entry: Candidate; row: ReadyRow }
  /** `stored`: the row is kept with the reason of the refusal. */
  | { kind: "refused"; entry: Refusal; stored: boolean };

export function planOf(entries: readonly Entry[], known: Known): Planned[] {
  const phones = new Set<string>();
  return entries.map((entry) => {
    const planned = planEntry(entry, known, phones);
    if (planned.kind === "fresh") phones.add(planned.entry.phone.number);
    return planned;
  });
}

function planEntry(entry: Entry, known: Known, phones: ReadonlySet<string>): Planned {
  const { messageId } = entry;
  const row = messageId === null ? undefined : known.ready.get(messageId);
  const refuse = (one: Refusal): Planned => {
    return { kind: "refused", entry: one, stored: one.isStorable && !row };
  };
  if (!entry.ok) return refuse(entry);
  const hash = entry.hash.toString("hex");
  if (known.optedOut.has(hash)) return refuse(refusal(messageId, "opted_out"));
  if (row) return { kind: "repeat", entry, row };
  if (known.takenPhones.has(hash) || phones.has(entry.phone.number)) {
    return refuse(refusal(messageId, "phone_duplicate"));
  }
  return { kind: "fresh", entry };
}
