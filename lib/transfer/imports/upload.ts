/** Receives the file of an import, and counts what is being received. */
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { files } from "#lib/platform/files";
import type { Sender } from "#lib/platform/parsers";
import { type ReceivedTable, receiveTable, tableError } from "#lib/platform/tables";
import { hasHeading, jsonNames } from "./fields.ts";
import { fileOf, isMissing } from "./file.ts";
import { bytesMax } from "./schema.ts";

const megabyte = 1_048_576;

const rules = { records: { wholeNames: jsonNames } };

/** Refuses a file whose announced length is too large, before it is sent. */
export function assertBytes(declared: number): void {
  if (declared > bytesMax) {
    throw tableError("file_too_large", { megabytes: bytesMax / megabyte });
  }
}

interface Reception {
  delimiter: string | undefined;
  /** The length that the client announced; 0: none. */
  declaredBytes: number;
  /** Throws when the files of this instance, with those that are being received, are too large. */
  assertRoom: () => Promise<void>;
  sender: Sender;
  /** For tests, which cannot all send 2 GB. */
  bytesAllowed?: number;
}

/** Stores a file under an id. Throws when the file is not accepted, and then leaves nothing. */
export async function receiveFile(
  id: string,
  body: ReadableStream<Uint8Array>,
  { bytesAllowed = bytesMax, ...reception }: Reception,
): Promise<ReceivedTable> {
  const name = fileOf(id);
  return await receiveTable(body, {
    ...reception,
    path: await files().scratch(name),
    store: (path) => files().adopt(path, name),
    bytesMax: bytesAllowed,
    rules,
    hasHeading,
  });
}

/** Total length of the files that are being received, by any process that has this data folder. */
export async function sumReceivingBytes(): Promise<number> {
  const folder = dirname(await files().scratch(fileOf("any")));
  const names = await readdir(folder).catch(asMissing);
  const sizes = (names ?? [])
    .filter((name) => name.endsWith(".raw"))
    .map(async (name) => (await stat(join(folder, name)).catch(asMissing))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function asMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
