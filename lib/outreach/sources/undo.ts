/** Deletes what a source added: links first, so that a repetition after a crash finds the rest. */
import { deleteLinksInBulk } from "#lib/links/editing";
import { presentId } from "#lib/platform/ids";
import { transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { SourceRow } from "./store.ts";
import { deleteAdded, listAdded, lockLeased } from "./worker-store.ts";

const rowsAtOnce = 1_000;

/** Returns why it failed. */
export async function undoSource(
  row: SourceRow,
  scopeOf: (row: SourceRow) => Promise<WorkspaceScope | undefined>,
): Promise<string | undefined> {
  for (;;) {
    const scope = await scopeOf(row);
    if (!scope) return "The person who started this left the workspace or can’t delete links.";
    const added = await listAdded(row, rowsAtOnce);
    if (added.length === 0) return undefined;
    const ids = added.flatMap(({ link_id: id }) => (id === null ? [] : [presentId("link", id)]));
    const { left } = await deleteLinksInBulk(scope, ids, []);
    const kept = left.find(({ code }) => code !== "link_unknown");
    if (kept) return kept.message;
    const isLeased = await transaction(async (tx) => {
      if (!(await lockLeased(tx, row))) return false;
      await deleteAdded(
        tx,
        row,
        added.map(({ position }) => position),
      );
      return true;
    });
    if (!isLeased) return undefined;
  }
}
