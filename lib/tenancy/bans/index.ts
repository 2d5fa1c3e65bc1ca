/**
 * Bans of links, destination hosts, workspaces and people.
 *
 * banned ──────▶ its people are told, and may each appeal once
 *
 * ended ───────▶ by an administrator, an accepted appeal or its end date, which restores the exact state before
 *
 * A ban only sets one extra column of its subject, which is cleared at the end. Every redirect
 * process has the bans of hosts and workspaces in memory (lib/redirect/trust). This room has the
 * rows and the effect on members and hosts; administrators use lib/office/bans.
 */
import { newId } from "#lib/basics/ids";
import {
  type CacheChange,
  CoherentCache,
  recordChanges,
  takeRevision,
  trustEntries,
  workspaceEntry,
} from "#lib/platform/cache-sync";
import type { Connection } from "#lib/platform/postgres";
import { recordKeyChanges, recordPersonChanges } from "#lib/tenancy/key-changes";
import type { Ban, BansQuery } from "./schema.ts";
import {
  type BanRow,
  endBan,
  insertBan,
  listRows,
  loadHosts,
  loadRevision,
  markUser,
  markWorkspace,
  type NewBanRow,
  presentBan,
} from "./store.ts";

export {
  type BanRow,
  banColumns,
  countActiveBans,
  findActiveBan,
  listEnding,
  listUnannounced,
  markAnnounced,
  presentBan,
} from "./store.ts";

export interface BanChange {
  row: BanRow;
  changes: CacheChange[];
}

export async function startBan(
  tx: Connection,
  ban: Omit<NewBanRow, "id">,
): Promise<BanChange | undefined> {
  const revision = await takeRevision(tx);
  const row = await insertBan(tx, { ...ban, id: newId("ban") }, revision);
  return row && { row, changes: await applyBan(tx, row, true, revision) };
}

export async function stopBan(
  tx: Connection,
  id: string,
  actor: string,
): Promise<BanChange | undefined> {
  const revision = await takeRevision(tx);
  const row = await endBan(tx, id, actor, revision);
  return row && { row, changes: await applyBan(tx, row, false, revision) };
}

async function applyBan(
  tx: Connection,
  { kind, workspace_pk: workspacePk, user_pk: userPk }: BanRow,
  isBanned: boolean,
  revision: number,
): Promise<CacheChange[]> {
  const changes: CacheChange[] = [{ entry: trustEntries.bans, revision }];
  const keys: CacheChange[] = [];
  if (kind === "workspace" && workspacePk !== null) {
    await markWorkspace(tx, workspacePk, isBanned);
    changes.push({ entry: workspaceEntry(workspacePk), revision });
    keys.push(...(await recordKeyChanges(tx, workspacePk, null)));
  }
  if (kind === "user" && userPk !== null) {
    await markUser(tx, userPk, isBanned);
    keys.push(...(await recordPersonChanges(tx, userPk)));
  }
  await recordChanges(tx, changes);
  return [...changes, ...keys];
}

export async function listBans(query: BansQuery): Promise<Ban[]> {
  return (await listRows(query)).map(presentBan);
}

const ageMaxMs = 60_000;

const revisions = new CoherentCache<number>({
  entriesMax: () => 1,
  ageMaxMs,
  load: async () => {
    const revision = await loadRevision();
    return new Map([[trustEntries.bans, { revision, value: revision }]]);
  },
});

let hosts: ReadonlyMap<string, true> = new Map();
let hostsRevision = -1;

/** For new destinations. Subdomains are banned too. */
export async function loadBannedHosts(): Promise<ReadonlyMap<string, true>> {
  const revision = (await revisions.find(trustEntries.bans)) ?? 0;
  if (revision !== hostsRevision) {
    const found = await loadHosts();
    hosts = new Map(found.map((host) => [host, true]));
    hostsRevision = revision;
  }
  return hosts;
}
