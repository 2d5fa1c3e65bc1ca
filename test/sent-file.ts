/** For tests of files that are sent while they are written: their text. */
import type { SentFile } from "#lib/platform/downloads";

export async function textOf(file: SentFile): Promise<string> {
  const parts: Uint8Array[] = [];
  await file.send(async (bytes) => void parts.push(bytes));
  return Buffer.concat(parts).toString();
}
