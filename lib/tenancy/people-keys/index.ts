/**
 * Encrypts what a workspace stores about people, such as phones.
 *
 * Each workspace has random keys, sealed with a key of the instance: one per version of its data,
 * and one for hashes. Equal values have equal hashes within a workspace, so they can be found
 * without decryption; hashes of different workspaces cannot be compared. The hash key never
 * changes, because some hashes outlive their value.
 *
 * Rotation adds a version for new values. A job encrypts older values again and drops unneeded
 * keys. Writers lock the version in their transaction (`holdVersion`), so that it is not dropped
 * before their values are visible.
 */
import { createHmac, randomBytes } from "node:crypto";
import { type Connection, transaction } from "#lib/platform/postgres";
import { type SealedColumn, seal, sealWith, unseal, unsealWith } from "#lib/platform/sealing";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import {
  deleteVersion,
  findKeys,
  insertKey,
  type KeyRow,
  listOlder,
  lockVersion,
  replaceSealed,
  resealKey,
  type SealedTable,
} from "./store.ts";

export { listRotated, replaceSealed, type SealedTable, useVersion } from "./store.ts";

const purpose = "people-keys";
export const peopleKeyColumn: SealedColumn = {
  table: "people_key",
  column: "sealed",
  key: ["workspace_pk", "version"],
  purpose,
  binding: "workspace_pk || ' ' || version",
};
const keyBytes = 32;
/** A collision among a billion phones is as unlikely as guessing a key. */
const hashBytes = 16;
const hashVersion = 0;
const firstVersion = 1;

export interface SealedValue {
  version: number;
  sealed: Buffer;
}

export interface PeopleKeys {
  workspacePk: number;
  version: number;
  /** `boundTo` names the row: in another one, the value cannot be opened. */
  seal: (plain: string, boundTo: string) => Buffer;
  unseal: (value: SealedValue, boundTo: string) => string;
  hash: (plain: string) => Buffer;
}

export async function openPeopleKeys(workspacePk: number): Promise<PeopleKeys> {
  let rows = await findKeys(workspacePk);
  if (rows.length === 0) {
    await createKeys(workspacePk);
    rows = await findKeys(workspacePk);
  }
  const keys = new Map(rows.map((row) => [row.version, openKey(workspacePk, row)]));
  const version = Math.max(...keys.keys());
  const keyOf = (wanted: number): Buffer => {
    const key = keys.get(wanted);
    if (!key) throw new Error(`Workspace ${workspacePk} has no people key of version ${wanted}`);
    return key;
  };
  return {
    workspacePk,
    version,
    seal: (plain, boundTo) => sealWith(keyOf(version), Buffer.from(plain), boundTo),
    unseal: (value, boundTo) => unsealWith(keyOf(value.version), value.sealed, boundTo).toString(),
    hash: (plain) =>
      createHmac("sha256", keyOf(hashVersion)).update(plain).digest().subarray(0, hashBytes),
  };
}

function bindingOf(workspacePk: number, version: number): string {
  return `${workspacePk} ${version}`;
}

function openKey(workspacePk: number, { version, sealed }: KeyRow): Buffer {
  return unseal(purpose, sealed, bindingOf(workspacePk, version));
}

function sealKey(workspacePk: number, version: number, key: Buffer): Buffer {
  return seal(purpose, key, bindingOf(workspacePk, version));
}

/** If two callers create keys at once, the first ones stay. */
async function createKeys(workspacePk: number): Promise<void> {
  await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    if ((await findKeys(workspacePk, tx)).length > 0) return;
    for (const version of [hashVersion, firstVersion]) {
      await insertKey(tx, workspacePk, version, sealNew(workspacePk, version));
    }
  });
}

function sealNew(workspacePk: number, version: number): Buffer {
  return sealKey(workspacePk, version, randomBytes(keyBytes));
}

class DroppedVersion extends Error {}

const opensMax = 3;

/** Runs work again with newer keys if they were replaced meanwhile. */
export async function withPeopleKeys<T>(
  workspacePk: number,
  work: (keys: PeopleKeys) => Promise<T>,
): Promise<T> {
  for (let opens = 1; ; opens++) {
    try {
      return await work(await openPeopleKeys(workspacePk));
    } catch (error) {
      if (!(error instanceof DroppedVersion) || opens === opensMax) throw error;
    }
  }
}

/** Keeps the version until the end of a transaction that writes values sealed with it. */
export async function holdVersion(
  tx: Connection,
  { workspacePk, version }: PeopleKeys,
): Promise<void> {
  if (await lockVersion(tx, workspacePk, version, "KEY SHARE")) return;
  throw new DroppedVersion("The people key was replaced");
}

export async function rotatePeopleKeys(scope: WorkspaceScope): Promise<number> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  const { version: before } = await openPeopleKeys(workspacePk);
  return await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const rows = await findKeys(workspacePk, tx);
    const latest = Math.max(...rows.map((row) => row.version));
    if (latest !== before) return latest;
    const version = latest + 1;
    await insertKey(tx, workspacePk, version, sealNew(workspacePk, version));
    for (const row of rows.filter((one) => one.version === hashVersion)) {
      const again = sealKey(workspacePk, hashVersion, openKey(workspacePk, row));
      await resealKey(tx, workspacePk, hashVersion, again);
    }
    const details = { version: { from: latest, to: version } };
    await recordAudit(tx, [{ workspacePk, actor, action: "people-key.rotate", details }]);
    return version;
  });
}

export async function resealTable(
  keys: PeopleKeys,
  table: SealedTable,
  rowsMax: number,
): Promise<number> {
  return await transaction(async (tx) => {
    await holdVersion(tx, keys);
    const rows = await listOlder(tx, table, keys, rowsMax);
    const again = rows.map(({ pk, bound, ...value }) => ({
      pk,
      sealed: keys.seal(keys.unseal(value, bound), bound),
    }));
    if (again.length > 0) await replaceSealed(tx, table, keys.version, again);
    return again.length;
  });
}

export async function dropVersion(
  workspacePk: number,
  version: number,
  isUsed: (tx: Connection) => Promise<boolean>,
): Promise<boolean> {
  return await transaction(async (tx) => {
    if (!(await lockVersion(tx, workspacePk, version, "UPDATE"))) return false;
    if (await isUsed(tx)) return false;
    await deleteVersion(tx, workspacePk, version);
    return true;
  });
}
