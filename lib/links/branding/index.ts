/** Branding of the pages that visitors of a workspace's links see. The redirect reads the same row by itself. */
import { hash } from "node:crypto";
import { brandingEntry } from "#lib/links/link-cache";
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { shrinkLogo } from "./logo.ts";
import type { Branding, EditBranding } from "./schema.ts";

export { suggestBranding } from "./suggestion.ts";

const defaultBranding: BrandingRow = { color: null, logo: null };

export async function getBranding(scope: WorkspaceScope): Promise<Branding> {
  return present((await findBrandingRow(scope.workspacePk)) ?? defaultBranding);
}

function present({ color, logo }: BrandingRow): Branding {
  return { color, logo: logo?.toString("base64") ?? null };
}

/** Changes the given fields; null restores the default. Visitors see it within a second. */
export async function editBranding(scope: WorkspaceScope, edit: EditBranding): Promise<Branding> {
  assertMay(scope, "workspace.write");
  const { workspacePk, workspaceId, actor } = scope;
  const logo =
    typeof edit.logo === "string"
      ? await shrinkLogo(decode(edit.logo), { workspaceId })
      : edit.logo;
  const { after, changes } = await transaction(async (tx) => {
    // Wait for other edits of the workspace: there may be no row to lock yet.
    await lockWorkspace(tx, workspacePk);
    const before = (await findBrandingRow(workspacePk, tx)) ?? defaultBranding;
    const next: BrandingRow = {
      color: edit.color === undefined ? before.color : edit.color,
      logo: logo === undefined ? before.logo : logo,
    };
    const revision = await takeRevision(tx);
    await putBrandingRow(tx, workspacePk, revision, next);
    const change = { entry: brandingEntry(workspacePk), revision };
    await recordChanges(tx, [change]);
    const details = changesOf(auditValues(before), auditValues(next));
    await recordAudit(tx, [
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

function auditValues({ color, logo }: BrandingRow): Record<string, string | null> {
  return { pageColor: color, pageLogo: logo && hash("sha256", logo, "hex").slice(0, 12) };
}

interface BrandingRow {
  color: string | null;
  logo: Buffer | null;
}

function findBrandingRow(workspacePk: number, tx?: Connection) {
  // Answered by page_look_pkey.
  return query
    .on(tx)
    .one<BrandingRow>(sql`SELECT color, logo FROM page_look WHERE workspace_pk = ${workspacePk}`);
}

async function putBrandingRow(
  tx: Connection,
  workspacePk: number,
  revision: number,
  { color, logo }: BrandingRow,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO page_look (workspace_pk, revision, color, logo)
    VALUES (${workspacePk}, ${revision}, ${color}, ${logo})
    ON CONFLICT (workspace_pk) DO UPDATE
    SET revision = excluded.revision,
      color = excluded.color,
      logo = excluded.logo`);
}
