/** The stored file of an import. */
import { join } from "node:path";
import { passwordMask } from "#lib/links/fields/schema";
import { config } from "#lib/platform/config";
import { openPlain, readStoredRows, type StoredRow } from "#lib/platform/tables";

export function folder(): string {
  return join(config().FUXI_DATA_DIR, "imports");
}

export function fileOf(id: string): string {
  return join(folder(), `${id}.jsonl`);
}

/** True when a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The rows from a byte at which a row starts, in batches. */
export async function* readRows(id: string, position: number): AsyncGenerator<StoredRow[]> {
  const file = await openPlain(fileOf(id), "r");
  try {
    yield* readStoredRows(file, position, passwordMask);
  } finally {
    await file.close();
  }
}
