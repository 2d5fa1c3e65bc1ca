import { type FoundLink, findRows } from "#lib/links/presenting";
import type { CacheChange } from "#lib/platform/cache-sync";
import type { Connection } from "#lib/platform/postgres";
import { type EditAuthor, writeChanges } from "./edit.ts";

interface DisabledLinks {
  count: number;
  changes: CacheChange[];
}

/** Turns off links that are on and that `isWanted` accepts, for administrators of the instance. */
export async function disableLinks(
  tx: Connection,
  author: EditAuthor,
  ids: readonly string[],
  isWanted: (row: FoundLink) => boolean,
): Promise<DisabledLinks> {
  const rows = await findRows(author.workspacePk, ids, tx);
  const wanted = rows.filter((row) => row.disabled_at === null && isWanted(row));
  const changes = await writeChanges(
    tx,
    author,
    wanted.map((before) => ({
      before,
      after: { ...before, disabled_at: new Date() },
      tags: undefined,
    })),
  );
  return { count: wanted.length, changes };
}
