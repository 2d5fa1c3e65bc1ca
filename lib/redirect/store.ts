/** The redirect's only questions to Postgres, each for many entries at once. */
import { pkOfCode } from "#lib/codes";
import type { Loaded } from "#lib/coherence";
import { query } from "#lib/postgres";
import { compileTarget, type Target, type TargetState } from "./target.ts";

/** The name of a link's entry in every cache. */
export function targetEntry(domainPk: number, key: string): string {
  return `l:${domainPk}:${key}`;
}

function parseTargetEntry(entry: string): { domainPk: number; key: string } {
  const end = entry.indexOf(":", 2);
  return { domainPk: Number(entry.slice(2, end)), key: entry.slice(end + 1) };
}

interface LinkRow {
  entry: string;
  revision: number;
  pk: number;
  workspace_pk: number;
  domain_pk: number;
  url: string;
  redirect_status: number;
  starts_at: Date | null;
  expires_at: Date | null;
  disabled_at: Date | null;
  banned_at: Date | null;
  expired_url: string | null;
}

const linkColumns = `
  link.revision, link.pk, link.workspace_pk, link.domain_pk, link.url, link.redirect_status,
  link.starts_at, link.expires_at, link.disabled_at, link.banned_at, link.expired_url`;

// Answered by link_pkey (a generated code is its pk) and by alias_pkey. A key that is no code has the pk -1, which no
// row has, so that a malformed key costs the same two look-ups as any other.
const targetsText = `
  WITH wanted AS (
    SELECT *
    FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[]) AS w (entry, domain_pk, key, pk)
  )
  SELECT wanted.entry, ${linkColumns}
  FROM wanted
  JOIN link ON link.pk = wanted.pk
  WHERE link.workspace_pk IS NOT NULL
    AND link.domain_pk = wanted.domain_pk
    AND link.key = wanted.key
  UNION ALL
  SELECT wanted.entry, ${linkColumns}
  FROM wanted
  JOIN alias ON alias.domain_pk = wanted.domain_pk AND alias.key = wanted.key
  JOIN link ON link.pk = alias.link_pk`;

export async function loadTargets(entries: string[]): Promise<Map<string, Loaded<Target>>> {
  const wanted = entries.map(parseTargetEntry);
  const rows = await query<LinkRow>({
    name: "redirect-targets",
    text: targetsText,
    values: [
      entries,
      wanted.map(({ domainPk }) => domainPk),
      wanted.map(({ key }) => key),
      wanted.map(({ key }) => pkOfCode(key) ?? -1),
    ],
  });
  return new Map(
    rows.map((row) => [row.entry, { revision: row.revision, value: targetOfRow(row) }]),
  );
}

function targetOfRow(row: LinkRow): Target {
  return compileTarget({
    linkPk: row.pk,
    workspacePk: row.workspace_pk,
    domainPk: row.domain_pk,
    status: row.redirect_status,
    startsAt: row.starts_at?.getTime() ?? 0,
    endsAt: row.expires_at?.getTime() ?? 0,
    state: stateOf(row),
    url: row.url,
    expiredUrl: row.expired_url ?? "",
  });
}

function stateOf(row: LinkRow): TargetState {
  if (row.banned_at) return "b";
  return row.disabled_at ? "d" : "a";
}

export interface Host {
  domainPk: number;
  notFoundUrl: string | undefined;
  expiredUrl: string | undefined;
  rootUrl: string | undefined;
}

/** The name of a domain's entry in every cache. */
export function hostEntry(host: string): string {
  return `d:${host}`;
}

interface DomainRow {
  slug: string;
  pk: number;
  revision: number;
  not_found_url: string | null;
  expired_url: string | null;
  placeholder: string | null;
}

export async function loadHosts(entries: string[]): Promise<Map<string, Loaded<Host>>> {
  const rows = await query<DomainRow>({
    name: "redirect-hosts",
    // Answered by domain_slug_key.
    text: `
      SELECT slug, pk, revision, not_found_url, expired_url, placeholder
      FROM domain
      WHERE slug = ANY($1::text[])`,
    values: [entries.map((entry) => entry.slice(2))],
  });
  return new Map(
    rows.map((row) => [
      hostEntry(row.slug),
      {
        revision: row.revision,
        value: {
          domainPk: row.pk,
          notFoundUrl: row.not_found_url ?? undefined,
          expiredUrl: row.expired_url ?? undefined,
          rootUrl: row.placeholder ?? undefined,
        },
      },
    ]),
  );
}
