/** The stored file of an import. */
import { passwordMask } from "#lib/links/fields/schema";
import { files } from "#lib/platform/files";
import { readStoredRows, type StoredRow } from "#lib/platform/tables";

export const folder = "imports";
/** Of a complete file. */
export const ending = ".jsonl";

export function fileOf(id: string): string {
  return `${folder}/${id}${ending}`;
}

/** True when a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The rows from a byte at which a row starts, in batches. */
export async function* readRows(id: string, position: number): AsyncGenerator<StoredRow[]> {
  const file = await files().open(fileOf(id));
  try {
    yield* readStoredRows(file, position, passwordMask);
  } finally {
    await file.close();
  }
}
