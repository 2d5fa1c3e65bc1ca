/**
 * Finds the people who are told about a ban: of a link its creator and the owners of its workspace, of a workspace its
 * owners, of a person themselves. A ban of a host concerns every link to it: a job walks through all links in steps,
 * once per ban. Run twice, it saves the same people.
 */

import { findOfHost, pagesOf } from "#lib/basics/urls";
import type { TargetColumns } from "#lib/links/link-cache";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type BanRecipient, saveRecipients } from "#lib/tenancy/ban-recipients";
import { type BanRow, listUnannounced } from "#lib/tenancy/bans";

const bansMax = 20;
/** Links per query. */
const stepLinks = 20_000;

/** The people of a ban, at once; those of a host are found by the job. */
export async function announceNow(
  tx: Connection,
  ban: BanRow,
  linkPk: number | null,
): Promise<void> {
  if (ban.kind === "host") return;
  await saveRecipients(tx, ban.pk, await peopleOf(tx, ban, linkPk));
}

async function peopleOf(
  tx: Connection,
  { kind, workspace_pk: workspacePk, user_pk: userPk }: BanRow,
  linkPk: number | null,
): Promise<BanRecipient[]> {
  if (kind === "user") return userPk === null ? [] : [{ userPk, workspacePk: null, links: 0 }];
  // Answered by membership_pkey and link_pkey.
  return await tx.query<BanRecipient>(sql`
    SELECT user_pk AS "userPk", workspace_pk AS "workspacePk",
      CASE WHEN ${linkPk}::bigint IS NULL THEN 0 ELSE 1 END AS links
    FROM membership
    WHERE workspace_pk = ${workspacePk}
      AND (role = 'owner' OR user_pk = (SELECT user_pk FROM link WHERE pk = ${linkPk}::bigint))`);
}

/** Finds the people of new bans of hosts. Returns the number of bans. */
export async function announceBans(): Promise<number> {
  const bans = await listUnannounced(bansMax);
  for (const ban of bans) {
    const links = ban.lifted_at ? new Map<number, number>() : await countLinks(ban.subject);
    await transaction(async (tx) => saveRecipients(tx, ban.pk, await ownersOf(tx, links)));
  }
  return bans.length;
}

async function ownersOf(
  tx: Connection,
  links: ReadonlyMap<number, number>,
): Promise<BanRecipient[]> {
  // Answered by membership_pkey.
  return await tx.query<BanRecipient>(sql`
    SELECT membership.user_pk AS "userPk", membership.workspace_pk AS "workspacePk", counted.links
    FROM unnest(${[...links.keys()]}::int[], ${[...links.values()]}::int[])
      AS counted (workspace_pk, links)
    JOIN membership
      ON membership.workspace_pk = counted.workspace_pk
      AND membership.role = 'owner'`);
}

interface LinkStep
  extends Pick<
    TargetColumns,
    "url" | "expired_url" | "ios" | "android" | "geo" | "rules" | "test_variants"
  > {
  pk: number;
  workspace_pk: number;
}

/** By workspace, how many links have a destination on a host or its subdomains. */
async function countLinks(host: string): Promise<Map<number, number>> {
  const hosts = new Map<string, true>([[host, true]]);
  const links = new Map<number, number>();
  for (let after = -1; ; ) {
    // Answered by link_pkey.
    const [last] = await query<{ pk: number | null }>(sql`
      SELECT max(pk) AS pk
      FROM (SELECT pk FROM link WHERE pk > ${after} ORDER BY pk LIMIT ${stepLinks}) AS step`);
    const until = last?.pk ?? null;
    if (until === null) return links;
    for (const row of await listMentions(host, after, until)) {
      if (!urlsOf(row).some((url) => isOn(hosts, url))) continue;
      links.set(row.workspace_pk, (links.get(row.workspace_pk) ?? 0) + 1);
    }
    after = until;
  }
}

async function listMentions(host: string, after: number, until: number): Promise<LinkStep[]> {
  // Answered by link_pkey. A text that contains the host is read; its URLs are compared exactly.
  return await query<LinkStep>(sql`
    SELECT pk, workspace_pk, url, expired_url, ios, android, geo, rules, test_variants
    FROM link
    WHERE pk > ${after}
      AND pk <= ${until}
      AND workspace_pk IS NOT NULL
      AND strpos(
        lower(concat_ws(' ', url, expired_url, ios, android, geo::text, rules::text, test_variants::text)),
        ${host}
      ) > 0`);
}

function urlsOf(row: LinkStep): string[] {
  const { url, expired_url: expiredUrl, ios, android, geo, rules, test_variants: variants } = row;
  const all = [
    url,
    expiredUrl ?? "",
    ios ?? "",
    android ?? "",
    ...Object.values(geo ?? {}),
    ...(rules?.map((rule) => rule.url) ?? []),
    ...(variants?.map((variant) => variant.url) ?? []),
  ];
  return all.filter((one) => one !== "");
}

function isOn(hosts: ReadonlyMap<string, true>, url: string): boolean {
  return pagesOf(url).some((page) => findOfHost(hosts, new URL(page).hostname.replace(/\.$/, "")));
}
