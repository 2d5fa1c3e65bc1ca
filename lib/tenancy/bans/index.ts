/**
 * Bans of links, destination hosts, workspaces and people.
 *
 *   banned ──────▶ its people are told, and may each appeal once
 *   ended ───────▶ by an administrator, an accepted appeal or its end date: exactly the state before it
 *
 * A ban changes nothing of what it bans: the state of a link, a workspace or a person has one more column, which is
 * cleared at the end. Bans of hosts and workspaces are in the memory of every redirect process
 * (lib/redirect/trust). This room has the rows, and the effect on members and hosts; lib/office/bans is what
 * administrators use.
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
import type { Ban, BanKind, BansQuery } from "./schema.ts";
import {
  type BanRow,
  endBan,
  findActive,
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
  listEnding,
  listUnannounced,
  markAnnounced,
  presentBan,
} from "./store.ts";

export interface BanChange {
  row: BanRow;
  /** To publish after the commit. */
  changes: CacheChange[];
}

/** Bans something in a transaction. Undefined: it is already banned. The row of a link is the caller's. */
export async function startBan(
  tx: Connection,
  ban: Omit<NewBanRow, "id">,
): Promise<BanChange | undefined> {
  const revision = await takeRevision(tx);
  const row = await insertBan(tx, { ...ban, id: newId("ban") }, revision);
  return row && { row, changes: await applyBan(tx, row, true, revision) };
}

/** Ends a ban in a transaction. Undefined: it is not active. */
export async function stopBan(
  tx: Connection,
  id: string,
  actor: string,
): Promise<BanChange | undefined> {
  const revision = await takeRevision(tx);
  const row = await endBan(tx, id, actor, revision);
  return row && { row, changes: await applyBan(tx, row, false, revision) };
}

/** Changes the state of what is banned, and has every process reload it. */
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

/** The active ban of a link, a workspace or a person. */
export async function findActiveBan(kind: BanKind, subject: string): Promise<BanRow | undefined> {
  return await findActive(kind, subject);
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

/** The banned hosts, for new destinations; each with its subdomains. */
export async function loadBannedHosts(): Promise<ReadonlyMap<string, true>> {
  const revision = (await revisions.find(trustEntries.bans)) ?? 0;
  if (revision !== hostsRevision) {
    const found = await loadHosts();
    hosts = new Map(found.map((host) => [host, true]));
    hostsRevision = revision;
  }
  return hosts;
}
