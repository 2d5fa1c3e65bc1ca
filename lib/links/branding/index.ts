/** Branding of the pages that visitors of a workspace's links see. The redirect reads the same row by itself. */
import { hash } from "node:crypto";
import { lookEntry } from "#lib/links/link-cache";
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordDeeds } from "#lib/tenancy/audit";
import { shrinkLogo } from "./logo.ts";
import type { EditLook, Look } from "./schema.ts";
import { findRow, type LookRow, putRow } from "./store.ts";

const plain: LookRow = { color: null, logo: null };

export async function getLook(scope: WorkspaceScope): Promise<Look> {
  return present((await findRow(scope.workspacePk)) ?? plain);
}

function present({ color, logo }: LookRow): Look {
  return { color, logo: logo?.toString("base64") ?? null };
}

/** Changes the given fields; null restores the default. Visitors see it within a second. */
export async function changeLook(scope: WorkspaceScope, edit: EditLook): Promise<Look> {
  assertMay(scope, "workspace.write");
  const { workspacePk, workspaceId, actor } = scope;
  const logo = typeof edit.logo === "string" ? await shrinkLogo(decode(edit.logo)) : edit.logo;
  const { after, changes } = await transaction(async (tx) => {
    // One at a time per workspace: there may be no row yet to lock.
    await lockWorkspace(tx, workspacePk);
    const before = (await findRow(workspacePk, tx)) ?? plain;
    const next: LookRow = {
      color: edit.color === undefined ? before.color : edit.color,
      logo: logo === undefined ? before.logo : logo,
    };
    const revision = await takeRevision(tx);
    await putRow(tx, workspacePk, revision, next);
    const change = { entry: lookEntry(workspacePk), revision };
    await recordChanges(tx, [change]);
    const details = changesOf(named(before), named(next));
    await recordDeeds(tx, [
      { workspacePk, actor, action: "workspace.edit", subject: workspaceId, details },
    ]);
    return { after: next, changes: [change] };
  });
  await publishChanges(changes);
  return present(after);
}

function decode(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}

/** The values in the audit log: a logo by its hash. */
function named({ color, logo }: LookRow): Record<string, string | null> {
  return { pageColor: color, pageLogo: logo && hash("sha256", logo, "hex").slice(0, 12) };
}
