import type { Link } from "#lib/links/fields/schema";
import type { LinkRow } from "#lib/links/link-rows";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { rulesOf } from "#lib/tenancy/plans";
import { addEvents, findListener } from "#lib/tenancy/webhook-events";
import { type FoundLink, findByPks, findRows, listTagsOf } from "./find.ts";
import { type LinkContext, presentLink } from "./present-link.ts";

export {
  type FoundLink,
  findByExternalId,
  findByExternalIds,
  findByPks,
  findRows,
  listTagRows,
  missingLink,
  resolveLinkUuid,
} from "./find.ts";
export { presentBriefly, presentLink } from "./present-link.ts";

export interface LinkWithContext {
  row: LinkRow;
  context: LinkContext;
}

export async function addContext(
  scope: Pick<WorkspaceScope, "workspaceId">,
  rows: readonly FoundLink[],
  tx?: Connection,
): Promise<LinkWithContext[]> {
  const tags = rows.length > 0 ? await listTagsOf(pksOf(rows), tx) : new Map();
  return rows.map((row) => ({
    row,
    context: {
      slug: row.slug,
      workspaceId: scope.workspaceId,
      userId: row.user_id,
      folderId: row.folder_id,
      tags: tags.get(row.pk) ?? [],
      clicks: row.clicks,
      scans: row.scans,
      retirement: rulesOf(row),
      lastClickAt: row.last_click_at,
      converted: {
        leads: row.leads,
        conversions: row.conversions,
        sales: row.sales,
        saleAmount: row.sale_amount,
      },
    },
  }));
}

function pksOf(rows: readonly FoundLink[]): number[] {
  return rows.map(({ pk }) => pk);
}

export async function presentFound(
  scope: Pick<WorkspaceScope, "workspaceId">,
  rows: readonly FoundLink[],
  tx?: Connection,
): Promise<Link[]> {
  const links = await addContext(scope, rows, tx);
  return links.map(({ row, context }) => presentLink(row, context));
}

export async function findWithContext(
  scope: WorkspaceScope,
  ids: readonly string[],
  tx?: Connection,
): Promise<Map<string, LinkWithContext>> {
  if (ids.length === 0) return new Map();
  const shown = await addContext(scope, await findRows(scope.workspacePk, ids, tx));
  return new Map(shown.map((one) => [one.row.id, one]));
}

type LinkEventType = "link.created" | "link.updated" | "link.deleted";

/** Call this after a change and before a deletion: links are described as `tx` sees them. */
export async function recordLinkEvents(
  tx: Connection,
  workspacePk: number,
  type: LinkEventType,
  pks: readonly number[],
): Promise<void> {
  const listener = pks.length > 0 ? await findListener(tx, workspacePk, type) : undefined;
  if (!listener) return;
  const links = await presentFound(listener, await findByPks(workspacePk, pks, tx), tx);
  const events = links.map((data) => ({ workspacePk, type, linkId: data.id, data }));
  await addEvents(tx, events);
}
