import { hostEntry, hostOfEntry } from "#lib/links/link-cache";
import type { LoadedValue } from "#lib/platform/cache-sync";
import { type Connection, query } from "#lib/platform/postgres";
import { openCache } from "./cache.ts";

const hostsMax = 50_000;

export const hosts = openCache<Host>({ name: "hosts", entriesMax: hostsMax, load: loadHosts });

export interface Host {
  domainPk: number;
  /** Undefined for the instance’s own domain. */
  workspacePk: number | undefined;
  folded: boolean;
  notFoundUrl: string | undefined;
  expiredUrl: string | undefined;
  rootUrl: string | undefined;
  icp: string | undefined;
  /** The destinations of all its links get the id of each click. */
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

async function loadHosts(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<Host>>> {
  const rows = await query.on(on).query<HostRow>({
    name: "redirect-hosts",
    // Answered by domain_serving, which contains only verified ones.
    text: `
    SELECT slug, pk, workspace_pk, revision, case_insensitive, not_found_url, expired_url, placeholder,
      icp, track_conversion
    FROM domain
    WHERE slug = ANY($1::text[])
      AND verified_at IS NOT NULL`,
    values: [entries.map(hostOfEntry)],
  });
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
