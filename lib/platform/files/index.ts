/**
 * Files that several processes need: uploaded tables, exports, and erasures. They are in a folder, or in an S3-compatible
 * store for processes on several machines.
 *
 * A file has a name such as `imports/imp_1.jsonl`. It appears under its name only when it is complete, and is read from
 * any position. What is being received is in the data folder of its own process until then, and that is all that
 * processes keep there.
 */
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { FolderStore } from "./folder.ts";
import { FileStoreUnavailable } from "./problems.ts";
import { S3Store } from "./s3.ts";
import type { FileStore, ReadableFile } from "./store.ts";

export { FileMissing, FileStoreUnavailable } from "./problems.ts";

const chunkBytes = 262_144;
const s3Settings = [
  ...(["FUXI_S3_URL", "FUXI_S3_PUBLIC_URL", "FUXI_S3_REGION"] as const),
  ...(["FUXI_S3_KEY_ID", "FUXI_S3_SECRET"] as const),
];

let opened: { key: string; store: FileStore } | undefined;

/** The store of this instance. */
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

/** The bytes of an open file, which is closed after them. */
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

/** Deletes a file that nothing refers to any more. A failure is left to the next sweep of its folder. */
export async function discardFile(name: string): Promise<void> {
  try {
    await files().remove(name);
  } catch (error) {
    log.warn({ event: "files.not_removed", name, error: String(error) });
  }
}

interface Sweep {
  folder: string;
  /** Of the files that are complete. */
  ending: string;
  /** Which of these ids have a row. */
  listNeeded: (ids: string[]) => Promise<string[]>;
  /** A file without a row may be younger than its future row. */
  orphanMs: number;
  now: number;
}

/** Deletes files that have no row and incomplete ones, once they are older than any upload. */
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

/** Whether the store answers. A problem is logged with what to do; processes start without it all the same. */
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
