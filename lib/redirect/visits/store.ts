/** The redirect's only Postgres queries, each for many entries at once. */

import type { ShownForm } from "#lib/links/forms/schema";
import {
  brandingEntry,
  hostEntry,
  hostOfEntry,
  parseTargetEntry,
  type TargetColumns,
  targetOfColumns,
  workspaceOfBranding,
} from "#lib/links/link-cache";
import { type LoadedValue, workspaceEntry, workspaceOfEntry } from "#lib/platform/cache-sync";
import { pksOfCodes } from "#lib/platform/codes";
import { type Connection, query } from "#lib/platform/postgres";
import { type CompiledBranding, compileBranding } from "./branding-style.ts";
import { compileTarget, type Target } from "./target.ts";

interface TargetQueryRow extends TargetColumns {
  entry: string;
  revision: number;
}

const linkColumns = `
  link.revision, link.pk, link.workspace_pk, link.domain_pk, link.url, link.redirect_status,
  link.starts_at, link.expires_at, link.disabled_at, link.banned_at, link.ban_reason, link.retired_at, link.expired_url,
  link.password_hash, link.max_clicks, link.rules, link.ios, link.android, link.geo, link.test_variants,
  link.test_started_at, link.test_completed_at, link.forward_query, link.forward_path,
  link.do_index, link.track_conversion, link.form_id, link.proxy, link.rewrite, link.inside_apps, link.title, link.description, link.image, link.video`;

// Answered by link_pkey (a generated code is its pk) and by alias_pkey. A key that is not a code has the pk -1, which
// no row has, so that a malformed key costs the same two lookups as any other.
// Only the root link of a domain may be without a url: the placeholder of the domain replaces it.
const targetsText = `
  WITH wanted AS (
    SELECT *
    FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[]) AS w (entry, domain_pk, key, pk)
  )
  SELECT wanted.entry, ${linkColumns}
  FROM wanted
  JOIN link ON link.pk = wanted.pk
  WHERE link.pk = ANY($4::bigint[])
    AND link.workspace_pk IS NOT NULL
    AND link.domain_pk = wanted.domain_pk
    AND link.key = wanted.key
  UNION ALL
  SELECT named.entry, ${linkColumns}
  FROM (
    SELECT wanted.entry, alias.link_pk
    FROM wanted
    JOIN alias ON alias.domain_pk = wanted.domain_pk AND alias.key = wanted.key
  ) AS named
  JOIN link ON link.pk = named.link_pk
  WHERE link.url <> ''`;

export async function loadTargets(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<Target>>> {
  const wanted = entries.map(parseTargetEntry);
  const rows = await query<TargetQueryRow>(
    {
      name: "redirect-targets",
      text: targetsText,
      values: [
        entries,
        wanted.map(({ domainPk }) => domainPk),
        wanted.map(({ key }) => key),
        pksOfCodes(wanted.map(({ key }) => key)).map((pk) => pk ?? -1),
      ],
    },
    on,
  );
  return new Map(
    rows.map((row) => [
      row.entry,
      { revision: row.revision, value: compileTarget(targetOfColumns(row)) },
    ]),
  );
}

/** Published ones. */
export async function loadForms(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<ShownForm>>> {
  const rows = await query<ShownForm & { revision: number }>(
    {
      name: "redirect-forms",
      // Answered by form_id_key.
      text: `
      SELECT id, pk, workspace_pk AS "workspacePk", version, content, personal, revision
      FROM form
      WHERE id = ANY($1::text[])
        AND published`,
      values: [entries],
    },
    on,
  );
  return new Map(rows.map(({ revision, ...form }) => [form.id, { revision, value: form }]));
}

interface BrandingRow {
  workspace_pk: number;
  revision: number;
  color: string | null;
  logo: Buffer | null;
}

export async function loadBrandings(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<CompiledBranding>>> {
  const rows = await query<BrandingRow>(
    {
      name: "redirect-looks",
      // Answered by page_look_pkey.
      text: `
      SELECT workspace_pk, revision, color, logo
      FROM page_look
      WHERE workspace_pk = ANY($1::int[])`,
      values: [entries.map(workspaceOfBranding)],
    },
    on,
  );
  return new Map(
    rows.map(({ workspace_pk, revision, color, logo }) => [
      brandingEntry(workspace_pk),
      { revision, value: compileBranding(color, logo) },
    ]),
  );
}

export async function loadForwarding(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<boolean>>> {
  const rows = await query<{ pk: number; forwards: boolean }>(
    {
      name: "redirect-forwarding",
      // Answered by workspace_pkey.
      text: `
      SELECT pk, forward_query AS forwards
      FROM workspace
      WHERE pk = ANY($1::int[])`,
      values: [entries.map(workspaceOfEntry)],
    },
    on,
  );
  // Revisions order values in Redis; these are in memory only.
  return new Map(
    rows.map(({ pk, forwards }) => [workspaceEntry(pk), { revision: 0, value: forwards }]),
  );
}

export interface Host {
  domainPk: number;
  /** Undefined: the instance's own. */
  workspacePk: number | undefined;
  /** Keys are case-insensitive. */
  folded: boolean;
  notFoundUrl: string | undefined;
  expiredUrl: string | undefined;
  rootUrl: string | undefined;
  /** ICP number. */
  icp: string | undefined;
  /** Whether the destinations of all its links get the id of each click. */
  tracked: boolean;
}

interface HostRow {
  slug: string;
  pk: number;
  workspace_pk: number | null;
  revision: number;
  case_insensitive: boolean;
  not_found_url: string | null;
  expired_url: string | null;
  placeholder: string | null;
  icp: string | null;
  track_conversion: boolean;
}

export async function loadHosts(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<Host>>> {
  const rows = await query<HostRow>(
    {
      name: "redirect-hosts",
      // Answered by domain_serving, which contains only verified ones.
      text: `
      SELECT slug, pk, workspace_pk, revision, case_insensitive, not_found_url, expired_url, placeholder,
        icp, track_conversion
      FROM domain
      WHERE slug = ANY($1::text[])
        AND verified_at IS NOT NULL`,
      values: [entries.map(hostOfEntry)],
    },
    on,
  );
  return new Map(
    rows.map((row) => [
      hostEntry(row.slug),
      {
        revision: row.revision,
        value: {
          domainPk: row.pk,
          workspacePk: row.workspace_pk ?? undefined,
          folded: row.case_insensitive,
          notFoundUrl: row.not_found_url ?? undefined,
          expiredUrl: row.expired_url ?? undefined,
          rootUrl: row.placeholder ?? undefined,
          icp: row.icp ?? undefined,
          tracked: row.track_conversion,
        },
      },
    ]),
  );
}

/** The files by which mobile apps and WeChat make sure that a domain belongs to its owner. */
export interface AppFiles {
  android: string | undefined;
  apple: string | undefined;
  wechat: { name: string; content: string } | undefined;
}

interface AppFilesRow {
  slug: string;
  revision: number;
  asset_links: string | null;
  apple_app_site_association: string | null;
  file_name: string | null;
  file_content: string | null;
}

export async function loadAppFiles(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<AppFiles>>> {
  const rows = await query<AppFilesRow>(
    {
      name: "redirect-app-files",
      // Answered by domain_serving, which contains only verified ones, and wechat_domain_domain.
      text: `
      SELECT domain.slug, domain.revision, domain.asset_links, domain.apple_app_site_association,
        wechat.file_name, wechat.file_content
      FROM domain
      LEFT JOIN wechat_domain AS wechat
        ON wechat.domain_pk = domain.pk
        AND wechat.host = domain.slug
        AND wechat.workspace_pk = domain.workspace_pk
      WHERE domain.slug = ANY($1::text[])
        AND domain.verified_at IS NOT NULL`,
      values: [entries.map(hostOfEntry)],
    },
    on,
  );
  return new Map(
    rows.map((row) => [
      hostEntry(row.slug),
      {
        revision: row.revision,
        value: {
          android: row.asset_links ?? undefined,
          apple: row.apple_app_site_association ?? undefined,
          wechat: wechatFileOf(row),
        },
      },
    ]),
  );
}

function wechatFileOf({ file_name: name, file_content: content }: AppFilesRow): AppFiles["wechat"] {
  return name !== null && content !== null ? { name, content } : undefined;
}

/** Data for previews only. */
export interface PreviewDetails {
  /** The title that the owner gave the link. */
  title: string | undefined;
  /** Undefined unless the owner made them public. */
  clicks: number | undefined;
}

export async function loadPreviewDetails(linkPk: number): Promise<PreviewDetails> {
  const [row] = await query<{ title: string | null; clicks: number | null }>({
    name: "redirect-shown",
    // Answered by link_pkey and link_stat_pkey.
    text: `
      SELECT link.title,
        CASE WHEN link.public_stats THEN coalesce(link_stat.clicks, 0) END AS clicks
      FROM link
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE link.pk = $1`,
    values: [linkPk],
  });
  return { title: row?.title ?? undefined, clicks: row?.clicks ?? undefined };
}
