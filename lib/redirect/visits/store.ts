/** The redirect's queries of Postgres other than those of links, each for many entries at once. */

import type { ShownForm } from "#lib/links/forms/schema";
import { brandingEntry, hostEntry, hostOfEntry, workspaceOfBranding } from "#lib/links/link-cache";
import { type LoadedValue, workspaceEntry, workspaceOfEntry } from "#lib/platform/cache-sync";
import { type Connection, query } from "#lib/platform/postgres";
import { type CompiledBranding, compileBranding } from "./branding-style.ts";

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
