/** The stored file of an import. */
import { passwordMask } from "#lib/links/fields/schema";
import { files } from "#lib/platform/files";
import { readStoredRows, type StoredRow } from "#lib/platform/tables";

export const folder = "imports";
/** Only complete files have it. */
export const ending = ".jsonl";

export function fileOf(id: string): string {
  return `${folder}/${id}${ending}`;
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Yields the rows in batches, from a byte at which a row starts. */
export async function* readRows(id: string, position: number): AsyncGenerator<StoredRow[]> {
  const file = await files().open(fileOf(id));
  try {
    yield* readStoredRows(file, position, passwordMask);
  } finally {
    await file.close();
  }
}
