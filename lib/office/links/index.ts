/** Links of all workspaces: found by where they lead, and turned off. */
import { parseId, presentId } from "#lib/basics/ids";
import { disableLinks } from "#lib/links/editing";
import { shortUrl } from "#lib/links/hosts";
import { publishChanges } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import { auditLooks, type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import { findLinkById } from "./named.ts";
import {
  type FoundOfficeLink,
  type OfficeLinks,
  type OfficeLinksQuery,
  officeLinksMax,
} from "./schema.ts";
import { readWanted, walkLinks } from "./walk.ts";

export { findLinkById, findNamedLink, type NamedLink } from "./named.ts";
export { onHost, walkLinks } from "./walk.ts";

/** Steps of a call, with 20,000 links each. */
const stepsMax = 10;

/** Every workspace of the results gets an entry in its audit log. */
export async function listOfficeLinks(
  operator: OperatorScope,
  { destination = "", from, startingAfter }: OfficeLinksQuery,
): Promise<OfficeLinks> {
  const wanted = destination === "" ? undefined : readWanted(destination);
  const range = { before: startingAfter, since: from ? new Date(from) : undefined };
  const pks: number[] = [];
  let next: number | null = null;
  let steps = 0;
  for await (const step of walkLinks(wanted, range)) {
    pks.push(...step.links.map(({ pk }) => pk));
    next = step.next;
    steps += 1;
    if (pks.length > officeLinksMax) next = pks[officeLinksMax - 1] ?? null;
    if (pks.length >= officeLinksMax || steps === stepsMax) break;
  }
  const links = await readLinks(pks.slice(0, officeLinksMax));
  const owners = links.map(({ workspacePk }) => workspacePk);
  await auditLooks(
    operator,
    [null],
    destination === ""
      ? { details: { viewed: "links" } }
      : { action: "operator.find", details: { text: destination } },
  );
  // defence: operator-links-recorded
  await auditLooks(operator, owners, { action: "operator.find" });
  return { links: links.map(presentFound), next };
}

export interface OwnedLink extends FoundOfficeLink {
  workspacePk: number;
  host: string;
}

export function presentFound({ workspacePk: _, host: __, ...link }: OwnedLink): FoundOfficeLink {
  return link;
}

interface LinkRow {
  uuid: string;
  workspacePk: number;
  host: string;
  key: string;
  url: string;
  state: FoundOfficeLink["state"];
  createdAt: Date;
  workspaceId: string;
  name: string;
  slug: string;
}

/** Without codes that no link has. */
export async function readLinks(pks: readonly number[]): Promise<OwnedLink[]> {
  // Answered by link_pkey.
  const rows = await query<LinkRow>(sql`
    SELECT
      link.id AS uuid, link.workspace_pk AS "workspacePk", lower(domain.slug) AS host, link.key, link.url,
      CASE
        WHEN link.banned_at IS NOT NULL THEN 'banned'
        WHEN link.retired_at IS NOT NULL THEN 'retired'
        WHEN link.disabled_at IS NOT NULL THEN 'disabled'
        WHEN link.expires_at <= now() THEN 'expired'
        WHEN link.starts_at > now() THEN 'scheduled'
        WHEN link.archived THEN 'archived'
        ELSE 'active'
      END AS state,
      link.created_at AS "createdAt",
      workspace.id AS "workspaceId",
      workspace.name,
      workspace.slug
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    JOIN workspace ON workspace.pk = link.workspace_pk
    WHERE link.pk = ANY(${pks}::bigint[])
    ORDER BY link.pk DESC`);
  return rows.map(({ uuid, key, createdAt, workspaceId, name, slug, ...row }) => ({
    ...row,
    id: presentId("link", uuid),
    shortLink: shortUrl(row.host, key),
    createdAt: createdAt.toISOString(),
    workspace: { id: workspaceId, name, slug },
  }));
}

/** Its members can turn it on again. Throws a 409 if it is off. */
export async function disableLink(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  const uuid = parseId("link", id);
  const link = uuid === undefined ? undefined : await findLinkById(uuid);
  if (!link) throw new AppError("not_found", "Not found on this instance.");
  const { workspacePk } = link;
  const author = { workspacePk, actor: operator.actor };
  const changes = await transaction(async (tx) => {
    const disabled = await disableLinks(tx, author, [link.id], () => true);
    if (disabled.count === 0) {
      throw new AppError("conflict", "This link is already turned off.", { problem: "link_off" });
    }
    const details = { name: shortUrl(link.slug, link.key) };
    const action = "operator.disable_link" as const;
    await recordOperation(tx, operator, { workspacePk, action, subject: id, reason, details });
    return disabled.changes;
  });
  await publishChanges(changes);
}
