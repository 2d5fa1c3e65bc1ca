/** Turns links off for an administrator of the instance, who is no member of their workspace. */
import { type FoundLink, findRows } from "#lib/links/presenting";
import type { CacheChange } from "#lib/platform/cache-sync";
import type { Connection } from "#lib/platform/postgres";
import { type EditAuthor, writeChanges } from "./edit.ts";

interface DisabledLinks {
  count: number;
  /** To publish after the commit. */
  changes: CacheChange[];
}

/** Disables those of the links that are still on and that `isWanted` says so of, in a transaction. */
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
