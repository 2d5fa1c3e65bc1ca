import { brokenStates } from "#lib/links/destination-checks/schema";
import { warningDays } from "#lib/links/link-columns/schema";
import { textConditions } from "#lib/links/search";
import { visibleConditions } from "#lib/links/visible-links";
import { type Connection, query, type SqlValues, type Statement } from "#lib/platform/postgres";
import type { LinkFilter } from "./filter.ts";
import type { LinkFeature, LinkStatus } from "./schema.ts";

/** All conditions except the search. The workspace comes first. */
export function linkConditions(filter: LinkFilter, { place }: SqlValues): string[] {
  // defence: links-of-workspace
  const where = [`link.workspace_pk = ${place(filter.workspacePk)}`];
  const add = <T>(value: T | undefined, condition: (value: T) => string) => {
    if (value !== undefined) where.push(condition(value));
  };
  if (!filter.showArchived) where.push("NOT link.archived");
  if (filter.status !== "retired") where.push("link.retired_at IS NULL");
  // Root links of domains exist without a URL.
  where.push("link.url <> ''");
  add(filter.domainPk, (pk) => `link.domain_pk = ${place(pk)}`);
  // Joining domains would drop these links after the LIMIT.
  add(filter.clearedDomainPks, (pks) => `link.domain_pk <> ALL(${place(pks)}::int[])`);
  add(filter.folderPk, (pk) =>
    pk === null ? "link.folder_pk IS NULL" : `link.folder_pk = ${place(pk)}`,
  );
  if (filter.visible) where.push(...visibleConditions(filter.visible, place));
  add(filter.userPk, (pk) => `link.user_pk = ${place(pk)}`);
  add(filter.tenantId, (id) => `link.tenant_id = ${place(id)}`);
  // Answered by link_url.
  add(filter.url, (url) => {
    const text = place(url);
    return `hashtextextended(link.url, link.workspace_pk) =
        hashtextextended(${text}, ${place(filter.workspacePk)}::int)
      AND link.url = ${text}`;
  });
  add(filter.pks, (pks) => `link.pk = ANY(${place(pks)}::bigint[])`);
  // Answered by link_tag_tag_pk_idx or link_tag_pkey, whichever side is smaller.
  add(
    filter.tagPks,
    (pks) => `link.pk IN (
      SELECT link_tag.link_pk
      FROM link_tag
      WHERE link_tag.tag_pk = ANY(${place(pks)}::int[]))`,
  );
  // Answered by link_stat_pkey, link by link.
  add(
    filter.clicked,
    (clicked) => `${clicked ? "" : "NOT "}EXISTS (
      SELECT 1
      FROM link_stat AS stat
      WHERE stat.link_pk = link.pk
        AND stat.level > 0)`,
  );
  add(filter.status, (status) =>
    status === "broken" ? brokenCondition(filter.workspacePk, place) : statusConditions[status],
  );
  add(filter.feature, (feature) => featureConditions[feature]);
  add(filter.createdFrom, (id) => `link.id >= ${place(id)}::uuid`);
  add(filter.createdUntil, (id) => `link.id < ${place(id)}::uuid`);
  // Answered by link_api_key, in the order of creation.
  add(filter.apiKeyPk, (pk) => `link.api_key_pk = ${place(pk)}`);
  // Answered by import_chunk_pkey.
  add(
    filter.importId,
    (id) => `link.pk IN (
      SELECT unnest(import_chunk.made_pks)
      FROM import_chunk
      WHERE import_chunk.import_id = ${place(id)})`,
  );
  // Answered by campaign_recipient_pkey. Another link may have the pk of a deleted one.
  add(
    filter.campaignPk,
    (pk) => `(link.pk, link.id) IN (
      SELECT campaign_recipient.link_pk, campaign_recipient.link_id
      FROM campaign_recipient
      WHERE campaign_recipient.campaign_pk = ${place(pk)})`,
  );
  if (filter.withTags) {
    where.push("EXISTS (SELECT 1 FROM link_tag WHERE link_tag.link_pk = link.pk)");
  }
  return where;
}

// Each names a column that is empty in most links, so that link_special answers it.
const limitReached = `link.max_clicks IS NOT NULL
        AND EXISTS (
          SELECT 1
          FROM link_stat AS limited
          WHERE limited.link_pk = link.pk
            AND limited.clicks >= link.max_clicks)`;

const statusConditions: Readonly<Record<Exclude<LinkStatus, "broken">, string>> = {
  active: `link.disabled_at IS NULL
      AND (link.starts_at IS NULL OR link.starts_at <= now())
      AND (link.expires_at IS NULL OR link.expires_at > now())
      AND NOT (${limitReached})`,
  expired: `(link.expires_at <= now() OR (${limitReached}))`,
  scheduled: "link.starts_at > now()",
  disabled: "link.disabled_at IS NOT NULL",
  archived: "link.archived IS TRUE",
  // Answered by link_retiring and link_retired.
  retiring: `link.retires_at <= now() + interval '${warningDays} days'`,
  retired: "link.retired_at IS NOT NULL",
};

/**
 * Starts at the broken pages, because a workspace has few of them, and finds their links by link_url and link_fragment. Links of a
 * campaign are found by campaign_recipient_pkey; another link may have the pk of a deleted one.
 */
function brokenCondition(workspacePk: number, place: SqlValues["place"]): string {
  const broken = `page.workspace_pk = ${place(workspacePk)}
        AND page.state = ANY(${place(brokenStates)}::text[])`;
  const linksBy = (url: string) => `
      SELECT link.pk, link.id
      FROM destination_check AS page
      JOIN link
        ON hashtextextended(${url}, link.workspace_pk) = hashtextextended(page.url, page.workspace_pk)
        AND ${url} = page.url
        AND link.workspace_pk = page.workspace_pk
      WHERE ${broken}
        AND page.campaign_pk IS NULL`;
  return `(link.pk, link.id) IN (${linksBy("link.url")}
      UNION ALL${linksBy("split_part(link.url, '#', 1)")}
        AND link.url LIKE '%#%'
      UNION ALL
      SELECT recipient.link_pk, recipient.link_id
      FROM destination_check AS page
      JOIN campaign ON campaign.pk = page.campaign_pk
      JOIN campaign_recipient AS recipient ON recipient.campaign_pk = campaign.pk
      WHERE ${broken}
        AND campaign.check_destination
        AND campaign.deleted_at IS NULL)`;
}

const featureConditions: Readonly<Record<LinkFeature, string>> = {
  password: "link.password_hash IS NOT NULL",
  test: `link.test_variants IS NOT NULL
      AND (link.test_completed_at IS NULL OR link.test_completed_at > now())`,
  rules: `(link.rules IS NOT NULL OR link.geo IS NOT NULL OR link.ios IS NOT NULL
      OR link.android IS NOT NULL)`,
};

export function searchConditions(filter: LinkFilter, values: SqlValues): string[] {
  const matches = searchMatches(filter, values);
  return matches === undefined ? [] : [`link.pk IN (${matches})`];
}

/** The pks of all links that the search finds, each once. Undefined: there is no search. */
export function searchMatches(filter: LinkFilter, { place }: SqlValues): string | undefined {
  if (!filter.search) return;
  const { pks, term } = filter.search;
  const exact = `${place(pks)}::bigint[]`;
  if (!term) return `SELECT unnest(${exact}) AS link_pk`;
  // Answered by link_search_grams, era by era.
  return `
      SELECT link_search.link_pk
      FROM search_era
      JOIN link_search ON link_search.era_pk = search_era.pk
      WHERE search_era.workspace_pk = ${place(filter.workspacePk)}
        AND ${textConditions(term, place).join("\n        AND ")}
        AND link_search.link_pk <> ALL(${exact})
      UNION ALL
      SELECT unnest(${exact})`;
}

/**
 * For statements that test links one by one, from a subquery with a LIMIT: links and their texts
 * may be on different servers. Answered by link_search_pkey; an EXISTS might read all texts at
 * once.
 */
export function searchProbe({ search }: LinkFilter, pk: string, { place }: SqlValues): string {
  if (!search) return "true";
  const exact = `${pk} = ANY(${place(search.pks)}::bigint[])`;
  if (!search.term) return exact;
  return `(${exact} OR (
        SELECT strpos(link_search.text, ${place(search.term.folded)}) > 0
        FROM link_search
        WHERE link_search.link_pk = ${pk}))`;
}

export async function pksOf(statement: Statement, tx?: Connection): Promise<number[]> {
  return (await query.on(tx).query<{ pk: number }>(statement)).map(({ pk }) => pk);
}
