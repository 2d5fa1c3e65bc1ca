/** For tests of reports: a workspace with links, tags, folders and weeks of clicks, partly rolled and partly touched. */

import { maintainRollups, rollPeriod } from "#lib/analytics/rollups";
import { openLinks } from "#lib/links/creating";
import type { Link } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createTag } from "#lib/links/tags";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { putClicks } from "./clicks.ts";
import { make } from "./links.ts";

const linkCount = 7;
const dayMs = 86_400_000;

export interface ClickedWorkspace {
  scope: WorkspaceScope;
  links: Link[];
  tagIds: string[];
  folderIds: string[];
  from: Date;
  until: Date;
}

/** Clicks of the last 28 days, spread over links that have tags and folders. */
export async function fillWorkspace(
  scope: WorkspaceScope,
  count = 9_000,
): Promise<ClickedWorkspace> {
  await openLinks();
  await maintainRollups();
  const tags = await Promise.all(["red", "blue"].map((name) => createTag(scope, { name })));
  const folders = await Promise.all(
    ["one", "two"].map((name) => createFolder(scope, { name, accessLevel: null })),
  );
  const [first, second] = tags.map(({ id }) => id);
  const [folderId] = folders.map(({ id }) => id);
  const links = await make(
    scope,
    Array.from({ length: linkCount }, (_, at) => ({
      url: `https://shop.example/${at}`,
      externalId: `external-${at}`,
      tenantId: at % 2 ? "odd" : "even",
      ...(at % 3 === 0 && first ? { tagIds: [first] } : {}),
      ...(at % 3 === 1 && first && second ? { tagIds: [first, second] } : {}),
      ...(at > 4 && folderId ? { folderId } : {}),
    })),
  );
  const until = new Date();
  const from = new Date(until.getTime() - 28 * dayMs);
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count, from, until, links: { first: 1, count: linkCount } });
  // One of them has enough clicks a day to get values of its own.
  const late = new Date(until.getTime() - 9 * dayMs);
  await putClicks({ workspacePk, count: 1_200, from: late, until, links: { first: 1, count: 1 } });
  const rows = await query<{ pk: number; domain_pk: number; external_id: string }>(sql`
    SELECT pk, domain_pk, external_id FROM link WHERE workspace_pk = ${workspacePk}`);
  const made = links.map(({ externalId }) => rows.find((row) => row.external_id === externalId));
  await query(sql`
    UPDATE analytics.click
    SET link_pk = made.pk, domain_pk = made.domain_pk
    FROM unnest(
      ${made.map((row) => row?.pk)}::bigint[],
      ${made.map((row) => row?.domain_pk)}::int[]
    ) WITH ORDINALITY AS made (pk, domain_pk, at)
    WHERE click.workspace_pk = ${workspacePk}
      AND click.link_pk = made.at`);
  return {
    scope,
    links,
    tagIds: tags.map(({ id }) => id),
    folderIds: folders.map(({ id }) => id),
    from,
    until,
  };
}

/** Rolls finished slots; days are left to their job. */
export async function rollFilled({ scope, from, until }: ClickedWorkspace): Promise<void> {
  const { workspacePk } = scope;
  const slotMs = 900_000;
  const begin = new Date(Math.floor(from.getTime() / slotMs) * slotMs);
  const end = new Date(Math.floor(until.getTime() / slotMs) * slotMs);
  await transaction(async (tx) => {
    await query(
      sql`DELETE FROM analytics.touched_slot WHERE workspace_pk = ${workspacePk} AND slot < ${end}`,
      tx,
    );
    await rollPeriod(tx, { workspacePk, from: begin, until: end });
  });
}
