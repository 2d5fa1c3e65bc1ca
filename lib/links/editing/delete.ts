import { presentId } from "#lib/basics/ids";
import type { LinkFailure } from "#lib/links/fields";
import { rootKey } from "#lib/links/keys";
import { targetEntry } from "#lib/links/link-cache";
import { deleteLinks } from "#lib/links/link-rows";
import { findRows, recordLinkEvents } from "#lib/links/presenting";
import { type CacheChange, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { type Connection, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { accessOf, pksOf, rootFailure } from "./edit.ts";

export interface DeletionResult {
  ids: string[];
  published: CacheChange[];
  kept: (LinkFailure & { id: string })[];
}

export interface UndoOptions {
  /** Runs while the links still exist. */
  archive: (tx: Connection, pks: readonly number[]) => Promise<void>;
  /** Runs in the transaction of the deletion, even if no link was deleted. */
  record: (tx: Connection, ids: string[]) => Promise<void>;
  eraseAfterMinutes: number;
}

export async function deleteRows(
  scope: WorkspaceScope,
  ids: readonly string[],
  undo?: UndoOptions,
): Promise<DeletionResult> {
  const access = await accessOf(scope);
  return await transaction(async (tx) => {
    const found = access.visible(await findRows(scope.workspacePk, ids, tx));
    const kept: DeletionResult["kept"] = [];
    const rows = found.filter((row) => {
      const isRoot = row.key === rootKey;
      // defence: root-link-not-deleted
      // defence: delete-needs-folder-access
      const failure = access.failureOf(row) ?? (isRoot ? rootFailure(row.slug) : undefined);
      if (failure) kept.push({ ...failure, id: row.id });
      return failure === undefined;
    });
    if (rows.length === 0) {
      await undo?.record(tx, []);
      return { ids: [], published: [], kept };
    }
    const revision = await takeRevision(tx);
    const pks = pksOf(rows);
    await undo?.archive(tx, pks);
    const { workspacePk, actor } = scope;
    await recordLinkEvents(tx, workspacePk, "link.deleted", pks);
    await deleteLinks(tx, pks, { workspacePk, eraseAfterMinutes: undo?.eraseAfterMinutes ?? 0 });
    const published = rows.map((row) => ({ entry: targetEntry(row.domain_pk, row.key), revision }));
    await recordChanges(tx, published);
    const entries = rows.map(({ id, slug: domain, key, url }) => {
      const subject = presentId("link", id);
      const details = { domain, key, url };
      return { workspacePk, actor, action: "link.delete" as const, subject, details };
    });
    await recordAudit(tx, entries);
    const deleted = rows.map(({ id }) => id);
    await undo?.record(tx, deleted);
    return { ids: deleted, published, kept };
  });
}
