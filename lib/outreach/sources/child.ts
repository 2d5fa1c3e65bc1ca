/** The process of a source (workers/recipients.ts). */
import { runChild } from "#lib/platform/children";

const entry = new URL("../../../workers/recipients.ts", import.meta.url);

export function runInChild(id: string): Promise<void> {
  return runChild(entry, id);
}
