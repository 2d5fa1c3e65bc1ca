/** The process of an import (workers/import.ts). */
import { runChild } from "#lib/platform/children";

const entry = new URL("../../../workers/import.ts", import.meta.url);

export function runInChild(id: string): Promise<void> {
  return runChild(entry, id);
}
