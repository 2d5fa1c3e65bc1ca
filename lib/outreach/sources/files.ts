/** The files of sources, stored encrypted. Each has its own key, which is sealed in its row. */

import { randomBytes } from "node:crypto";
import { hourMs } from "#lib/basics/time/schema";
import { AppError } from "#lib/platform/errors";
import { discardFile, files, removeOrphans } from "#lib/platform/files";
import type { Sender } from "#lib/platform/parsers";
import { parsePhone } from "#lib/platform/phones";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";
import {
  type ReceivedTable,
  readSealed,
  readStoredRows,
  receiveTable,
  type StoredRow,
} from "#lib/platform/tables";
import { sourceBytesMax } from "./schema.ts";
import type { SourceRow } from "./store.ts";
import { listNeeded } from "./worker-store.ts";

const purpose = "recipient-files";
export const fileKeyColumn: SealedColumn = {
  table: "recipient_source",
  column: "file_key",
  key: ["pk"],
  purpose,
  binding: "id",
};
const keyBytes = 32;
/** A file without a row may belong to an upload that is still running. */
const orphanMs = 6 * hourMs;

const folder = "recipients";
/** Only complete files have it. */
const ending = ".rows";

function fileOf(id: string): string {
  return `${folder}/${id}${ending}`;
}

interface Received extends ReceivedTable {
  key: Buffer;
}

/** The first record is a header if it has no phone. */
export function isHeading(first: readonly string[], country: string): boolean {
  return !first.some((cell) => parsePhone(cell, country));
}

export async function receiveSource(
  id: string,
  body: ReadableStream<Uint8Array>,
  reception: {
    delimiter: string | undefined;
    declaredBytes: number;
    country: string;
    sender: Sender;
  },
): Promise<Received> {
  const key = randomBytes(keyBytes);
  const name = fileOf(id);
  const received = await receiveTable(body, {
    ...reception,
    path: await files().scratch(name),
    store: (path) => files().adopt(path, name),
    key,
    bytesMax: sourceBytesMax,
    rules: {},
    hasHeading: (first) => isHeading(first, reception.country),
    assertRoom: () => Promise.resolve(),
  });
  return { ...received, key: seal(purpose, key, id) };
}

/** The rows from the byte where a row starts, in batches. Throws a 409 if the file was deleted. */
export async function* readRows(
  { id, file_key: sealed }: Pick<SourceRow, "id" | "file_key">,
  position: number,
): AsyncGenerator<StoredRow[]> {
  if (!sealed) return;
  const key = unseal(purpose, sealed, id);
  const file = await files().open(fileOf(id)).catch(asDeleted);
  try {
    yield* readStoredRows(await readSealed(key, file), position);
  } finally {
    await file.close();
  }
}

export async function readFirst(
  row: Pick<SourceRow, "id" | "file_key">,
  count: number,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const batch of readRows(row, 0)) {
    rows.push(...batch);
    if (rows.length >= count) break;
  }
  return rows.slice(0, count);
}

export async function removeFile(id: string): Promise<void> {
  await discardFile(fileOf(id));
}

export async function removeUnneeded(now: number): Promise<void> {
  await removeOrphans({ folder, ending, listNeeded, orphanMs, now });
}

function asDeleted(error: unknown): never {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  throw isMissing ? new AppError("conflict", "The file was deleted. Upload it again.") : error;
}
