import { encodeTarget, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { publishChanges } from "#lib/platform/cache-sync";
import type { EditResult } from "./edit.ts";

export async function publishEdits({ outcomes, published }: EditResult): Promise<void> {
  const values = new Map<string, string>();
  for (const edited of outcomes) {
    if (!edited.ok || !edited.changed) continue;
    const { row } = edited;
    values.set(targetEntry(row.domain_pk, row.key), encodeTarget(targetOfColumns(row)));
  }
  await publishChanges(published, values);
}
