import { config } from "#lib/platform/config";
import { query } from "#lib/platform/postgres";

/** About 200 bytes each. */
const suspectedMax = 100_000;

interface TrustRevisions {
  bans: number;
  warnings: number;
  reputation: number;
}

export async function loadTrustRevisions(): Promise<TrustRevisions> {
  const [row] = await query<TrustRevisions>({
    name: "redirect-trust",
    // Answered by ban_revision and destination_list_instance; reputation_service has one row.
    text: `
      SELECT
        (SELECT coalesce(max(revision), 0) FROM ban) AS bans,
        (
          SELECT coalesce(max(revision), 0)
          FROM destination_list
          WHERE kind = 'warn'
            AND workspace_pk IS NULL
        ) AS warnings,
        (SELECT coalesce(max(revision), 0) FROM reputation_service) AS reputation`,
    values: [],
  });
  return row ?? { bans: 0, warnings: 0, reputation: 0 };
}

interface SuspectedRow {
  url: string;
  threat: string;
  service: string | null;
  warn_until: Date;
}

export async function loadSuspected(): Promise<SuspectedRow[]> {
  if (config().FUXI_REPUTATION === "off") return [];
  return await query<SuspectedRow>({
    name: "redirect-suspected",
    // Answered by link_reputation_warned.
    text: `
      SELECT url, threat, service, warn_until
      FROM link_reputation
      WHERE threat IS NOT NULL
        AND warn_until > now()
      ORDER BY warn_until
      LIMIT $1`,
    values: [suspectedMax],
  });
}

interface BanRow {
  host: string | null;
  workspace_pk: number | null;
  reason: string;
}

/** The active bans of hosts and workspaces. Bans of links are in their rows. */
export function loadBans() {
  return query<BanRow>({
    name: "redirect-bans",
    // Answered by ban_active.
    text: `
      SELECT
        CASE WHEN kind = 'host' THEN subject END AS host,
        CASE WHEN kind = 'workspace' THEN workspace_pk END AS workspace_pk,
        reason
      FROM ban
      WHERE kind IN ('host', 'workspace')
        AND lifted_at IS NULL`,
    values: [],
  });
}

/** The entries of the warning list, one per line of each text. */
export async function loadWarningList(): Promise<string[]> {
  const [row] = await query<{ entries: string; source_entries: string }>({
    name: "redirect-warnings",
    // Answered by destination_list_instance.
    text: `
      SELECT entries, source_entries
      FROM destination_list
      WHERE kind = 'warn'
        AND workspace_pk IS NULL`,
    values: [],
  });
  const hasSource = config().FUXI_DESTINATIONS_WARN_SOURCE !== undefined;
  return [row?.entries ?? "", hasSource ? (row?.source_entries ?? "") : ""];
}
