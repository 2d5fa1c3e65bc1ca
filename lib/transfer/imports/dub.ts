/**
 * Links from Dub, which come from its API or from exports that we recognize by their headings. Dub always adds the query
 * parameters of a visit to the destination, so the first import turns this on for the workspace: printed links keep
 * working as they did.
 */
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { ImportRow } from "./store.ts";

/** Every export of Dub has these headings. No export of another system has all of them. */
const dubHeadings = ["Short link", "Destination URL"];

type Contents = Pick<ImportRow, "head" | "options" | "source">;

function isFromDub({ head, options, source }: Contents): boolean {
  if (source) return source.system === "dub";
  const [headings] = head;
  return options.heading && dubHeadings.every((name) => headings?.includes(name));
}

/** Whether starting this import turns on the forwarding of query parameters. */
export async function turnsForwardingOn(scope: WorkspaceScope, row: Contents): Promise<boolean> {
  // defence: import-settings-need-permission
  if (!isFromDub(row) || !scope.permissions.has("workspace.write")) return false;
  // Answered by workspace_pkey and link_workspace. Ignores root links, which each domain has from the start.
  const [found] = await query<{ forwards: boolean; hasLinks: boolean }>(sql`
    SELECT
      (SELECT forward_query FROM workspace WHERE pk = ${scope.workspacePk}) AS forwards,
      EXISTS (
        SELECT 1
        FROM link
        WHERE workspace_pk = ${scope.workspacePk}
          AND key <> '_root'
      ) AS "hasLinks"`);
  return found?.forwards === false && !found.hasLinks;
}

export async function turnForwardingOn(scope: WorkspaceScope): Promise<void> {
  // Loaded here, because only the start of an import may load Prisma. The import process must not.
  const { updateWorkspace } = await import("#lib/tenancy/workspaces");
  await updateWorkspace(scope, { forwardQuery: true });
}
