/** The networks of workspaces, whose visits they don’t count. Read for every batch of clicks, and for visits with a click limit. */
import { compileNetworks, hasAddress, type Networks } from "#lib/basics/networks";
import { query, sql } from "#lib/platform/postgres";

const cachedMs = 2_000;

let networks: ReadonlyMap<number, Networks> = new Map();
let cachedUntil = 0;

export type IsOwnAddress = (workspacePk: number, address: string) => boolean;

export async function loadOwnNetworks(now = Date.now()): Promise<IsOwnAddress> {
  if (now >= cachedUntil) {
    // No index: few workspaces use this, and the query runs every few seconds.
    const rows = await query<{ pk: number; entries: string[] }>(sql`
      SELECT pk, own_networks AS entries
      FROM workspace
      WHERE own_networks <> '{}'`);
    networks = new Map(rows.map(({ pk, entries }) => [pk, compileNetworks(entries)]));
    cachedUntil = now + cachedMs;
  }
  const loaded = networks;
  return (workspacePk, address) => {
    const own = loaded.get(workspacePk);
    return own !== undefined && hasAddress(own, address);
  };
}
