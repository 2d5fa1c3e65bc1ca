/** Decides what becomes of the rows of a slice. */
import { findOptedOut } from "#lib/outreach/opt-outs";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import { type Candidate, type OpenCampaign, type Refusal, refusal } from "./candidates.ts";
import { findReady, findTakenPhones, type ReadyRow } from "./recipient-rows.ts";

/** Where rows come from, besides single calls: a file, for example. */
export interface RowSource {
  /** Null: a call. */
  pk: number | null;
  /** Called in the transaction; throws where the source may no longer add rows. */
  assertOpen?: (tx: Connection) => Promise<void>;
  /** Rows before these, which are written first. */
  before?: Promise<unknown>;
}

/** What all rows of a call have in common. */
export interface Call {
  scope: WorkspaceScope;
  campaign: OpenCampaign;
  keys: PeopleKeys;
  sampleLink: string;
  /** Rows before these, which are written first. */
  before: Promise<unknown> | undefined;
  source: RowSource;
}

export type Entry = Candidate | Refusal;

export interface Known {
  ready: Map<string, ReadyRow>;
  takenPhones: ReadonlySet<string>;
  optedOut: ReadonlySet<string>;
}

export async function lookUp(
  { campaign, keys }: Call,
  entries: readonly Entry[],
  tx?: Connection,
): Promise<Known> {
  const ids = entries.flatMap(({ messageId }) => messageId ?? []);
  const hashes = entries.flatMap((entry) => (entry.ok ? [entry.hash] : []));
  const { pk } = campaign.row;
  // One after the other: a transaction has one connection.
  const ready = await findReady(pk, ids, tx);
  const takenPhones = await findTakenPhones(keys.workspacePk, pk, hashes, tx);
  const optedOut = await findOptedOut(keys.workspacePk, hashes, tx);
  return { ready: new Map(ready.map((row) => [row.message_id, row])), takenPhones, optedOut };
}

/** What becomes of a row: a new recipient, one that exists, or none. */
export type Planned =
  | { kind: "fresh"; entry: Candidate }
  | { kind: "repeat"; entry: Candidate; row: ReadyRow }
  /** `stored`: as the reason of its message. */
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
