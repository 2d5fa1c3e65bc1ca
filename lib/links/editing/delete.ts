import type { Refusal } from "#lib/links/fields";
import { targetEntry } from "#lib/links/link-cache";
import { deleteLinks } from "#lib/links/link-rows";
import { findRows } from "#lib/links/presenting";
import { type Change, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { presentId } from "#lib/platform/ids";
import { type Connection, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { recordDeeds } from "#lib/tenancy/audit";
import { accessOf, pksOf } from "./edit.ts";

export interface Deletion {
  ids: string[];
  published: Change[];
  /** Why nothing was deleted, when the actor has read access only. */
  refusal?: Refusal | undefined;
}

/** Options of a deletion that can be undone. */
export interface Keeping {
  /** Runs while the links still exist. */
  archive: (tx: Connection, pks: readonly number[]) => Promise<void>;
  /** Delay before their stats are erased. */
  eraseAfterMinutes: number;
}

/** Deletes the links with these ids. */
export async function deleteRows(
  scope: WorkspaceScope,
  ids: readonly string[],
  keeping?: Keeping,
): Promise<Deletion> {
  const access = await accessOf(scope);
  return await transaction(async (tx) => {
    const found = access.visible(await findRows(scope.workspacePk, ids, tx));
    const rows = found.filter((row) => access.refusal(row) === undefined);
    const [kept] = found.filter((row) => access.refusal(row) !== undefined);
    if (rows.length === 0) return { ids: [], published: [], refusal: kept && access.refusal(kept) };
    const revision = await takeRevision(tx);
    const pks = pksOf(rows);
    await keeping?.archive(tx, pks);
    const { workspacePk } = scope;
    await deleteLinks(tx, pks, { workspacePk, eraseAfterMinutes: keeping?.eraseAfterMinutes ?? 0 });
    const published = rows.map((row) => ({
      entry: targetEntry(row.domain_pk, row.key),
      revision,
    }));
    await recordChanges(tx, published);
    await recordDeeds(
      tx,
      rows.map((row) => ({
        workspacePk: scope.workspacePk,
        actor: scope.actor,
        action: "link.delete",
        subject: presentId("link", row.id),
        details: { domain: row.slug, key: row.key, url: row.url },
      })),
    );
    return { ids: rows.map(({ id }) => id), published };
  });
}
