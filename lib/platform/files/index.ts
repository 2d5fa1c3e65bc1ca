/**
 * Files that several processes need, in a folder or in an S3-compatible store.
 *
 * A file has a name such as `imports/imp_1.jsonl`. It appears only when it is complete, and is read
 * from any position. While it is received, it is in the data folder of its process.
 */
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { FolderStore } from "./folder.ts";
import { S3Store } from "./s3.ts";
import { type FileStore, FileStoreUnavailable, type ReadableFile } from "./store.ts";

export { FileMissing, FileStoreUnavailable } from "./store.ts";

const chunkBytes = 262_144;
const s3Settings = [
  ...(["FUXI_S3_URL", "FUXI_S3_PUBLIC_URL", "FUXI_S3_REGION"] as const),
  ...(["FUXI_S3_KEY_ID", "FUXI_S3_SECRET"] as const),
];

let opened: { key: string; store: FileStore } | undefined;

export function files(): FileStore {
  const settings = config();
  const folder = settings.FUXI_DATA_DIR;
  const key = [folder, ...s3Settings.map((name) => settings[name])].join(" ");
  if (opened?.key !== key) {
    opened = {
      key,
      store: settings.FUXI_S3_URL ? new S3Store(settings, folder) : new FolderStore(folder),
    };
  }
  return opened.store;
}

export async function* bytesOf(file: ReadableFile): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < file.bytes; ) {
      const buffer = Buffer.alloc(Math.min(chunkBytes, file.bytes - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error(`A file ends at ${at} of ${file.bytes} bytes`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

export async function discardFile(name: string): Promise<void> {
  try {
    await files().remove(name);
  } catch (error) {
    log.warn({ event: "files.not_removed", name, error: String(error) });
  }
}

interface Sweep {
  folder: string;
  ending: string;
  listNeeded: (ids: string[]) => Promise<string[]>;
  /** Younger files may not have their row yet. */
  orphanMs: number;
  now: number;
}

/** Deletes incomplete files and files without a row, once they are older than any upload. */
export async function removeOrphans(sweep: Sweep): Promise<void> {
  const { folder, ending, listNeeded, orphanMs, now } = sweep;
  const before = now - orphanMs;
  const old = [];
  for await (const file of files().list(folder)) if (file.changedAt < before) old.push(file.name);
  const idOf = (name: string) => name.slice(folder.length + 1).split(".")[0] ?? "";
  const needed = new Set(await listNeeded(old.map(idOf)));
  for (const name of old) {
    if (!(needed.has(idOf(name)) && name.endsWith(ending))) await files().remove(name);
  }
  await files().removeUnfinished(folder, before);
}

/** Whether the store answers. Logs the problem if not; processes start without it. */
export async function checkFiles(): Promise<boolean> {
  try {
    await files().find("check");
    return true;
  } catch (error) {
    if (!(error instanceof FileStoreUnavailable))
      log.error({ event: "files.failed", error: String(error) });
    return false;
  }
}
