/**
 * The lists in the memory of a process. A change takes a revision and invalidates the entry of its
 * owner everywhere. Creates only compare revisions, which are at most a second old, even without
 * Redis. Entries are loaded when the revision has changed, once for all creates that wait for it.
 */
import { compileList, type HostList } from "#lib/basics/urls";
import { CoherentCache, listsEntry } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { type InstanceListKind, type ListKind, listKinds } from "./schema.ts";
import { type ListContent, loadContents, loadRevisions } from "./store.ts";

const ownersMax = 50_000;
const ageMaxMs = 60_000;
/** Entries of all lists in memory, at about 100 bytes each. */
const entriesMax = 1_000_000;

/** Without an allow list everything is allowed. */
export type OwnerLists = Readonly<Partial<Record<ListKind, HostList>>>;

function ownerOf(entry: string): number {
  return Number(entry.slice("destinations:".length));
}

// Every owner has an entry, even without lists, because missing values would be queried too often.
const revisions = new CoherentCache<number>({
  entriesMax: () => ownersMax,
  ageMaxMs,
  load: async (entries) => {
    const rows = await loadRevisions(entries.map(ownerOf));
    const found = new Map(rows.map(({ owner, revision }) => [owner, revision]));
    return new Map(
      entries.map((entry) => {
        const revision = found.get(ownerOf(entry)) ?? 0;
        return [entry, { revision, value: revision }];
      }),
    );
  },
});

interface Loaded {
  revision: number;
  lists: OwnerLists;
}

/** By owner, the least recently used first. */
const loaded = new Map<number, Loaded>();
const loading = new Map<number, { revision: number; promise: Promise<OwnerLists> }>();
const none: OwnerLists = {};

export async function loadLists(workspacePk: number | null): Promise<OwnerLists> {
  const revision = (await revisions.find(listsEntry(workspacePk))) ?? 0;
  if (revision === 0 && workspacePk !== null) return none;
  const owner = workspacePk ?? 0;
  const known = loaded.get(owner);
  if (known && known.revision >= revision) {
    loaded.delete(owner);
    loaded.set(owner, known);
    return known.lists;
  }
  const underway = loading.get(owner);
  if (underway && underway.revision >= revision) return await underway.promise;
  const promise = readLists(workspacePk, revision);
  const own = { revision, promise };
  loading.set(owner, own);
  try {
    return await promise;
  } finally {
    if (loading.get(owner) === own) loading.delete(owner);
  }
}

async function readLists(workspacePk: number | null, revision: number): Promise<OwnerLists> {
  const rows = await loadContents(workspacePk);
  const lists: Partial<Record<ListKind, HostList>> = {};
  for (const kind of listKinds) {
    const row = rows.find((one) => one.kind === kind);
    const list = await compileOwn(workspacePk, kind, row);
    if (list) lists[kind] = list;
  }
  const read = Math.max(revision, ...rows.map((row) => row.revision));
  const owner = workspacePk ?? 0;
  // A slower load of an older revision must not replace a newer one.
  if ((loaded.get(owner)?.revision ?? -1) <= read) {
    loaded.delete(owner);
    loaded.set(owner, { revision: read, lists });
    dropOldest();
  }
  return lists;
}

async function compileOwn(
  workspacePk: number | null,
  kind: ListKind,
  row: ListContent | undefined,
): Promise<HostList | undefined> {
  const fixed = workspacePk === null ? fixedEntries(kind) : [];
  const hasSource = Boolean(workspacePk === null ? fixedSource(kind) : row?.source);
  const entries = row?.entries ?? "";
  if (fixed.length === 0 && entries === "" && !hasSource) return undefined;
  // defence: block-list-subdomains
  // defence: allow-list-exact-host
  const reach = kind === "allow" ? "host" : "host and subdomains";
  return await compileList(reach, fixed, [entries, hasSource ? (row?.source_entries ?? "") : ""]);
}

function dropOldest(): void {
  let total = 0;
  for (const { lists } of loaded.values()) total += sizeOf(lists);
  for (const [owner, { lists }] of loaded) {
    if (total <= entriesMax || loaded.size === 1) return;
    total -= sizeOf(lists);
    loaded.delete(owner);
  }
}

function sizeOf({ allow, block }: OwnerLists): number {
  // An owner without entries takes memory too.
  return 1 + (allow?.size ?? 0) + (block?.size ?? 0);
}

/** The instance’s entries from its settings. */
export function fixedEntries(kind: InstanceListKind): readonly string[] {
  const { FUXI_DESTINATIONS_ALLOW, FUXI_DESTINATIONS_BLOCK, FUXI_DESTINATIONS_WARN } = config();
  return {
    allow: FUXI_DESTINATIONS_ALLOW,
    block: FUXI_DESTINATIONS_BLOCK,
    warn: FUXI_DESTINATIONS_WARN,
  }[kind];
}

/** The instance’s source from its settings. */
export function fixedSource(kind: InstanceListKind): string | undefined {
  const settings = config();
  return {
    allow: settings.FUXI_DESTINATIONS_ALLOW_SOURCE,
    block: settings.FUXI_DESTINATIONS_BLOCK_SOURCE,
    warn: settings.FUXI_DESTINATIONS_WARN_SOURCE,
  }[kind];
}
