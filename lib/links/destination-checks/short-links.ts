/** Where short links of this instance lead, without a request, which would count as a visit. */
import { dashboardHost, findShortHosts, isOwnAddress } from "#lib/links/hosts";
import { rootKey } from "#lib/links/keys";
import { pkOfCode } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";

export type ShortLinkEnd =
  | { kind: "leads"; url: string }
  /** Visitors get a page of this instance first, or it is not a link. */
  | { kind: "shows" }
  | { kind: "missing" };

/** Undefined: the URL is not on a host of this instance. */
export async function followShortLink(url: URL, now: Date): Promise<ShortLinkEnd | undefined> {
  const { hostname: host } = url;
  const isDashboard = host === dashboardHost() || isOwnAddress(url.href);
  const isShort = (await findShortHosts([host])).has(host);
  // defence: own-hosts-not-requested
  if (!isShort && !isDashboard) return undefined;
  const row = isShort ? await findLink(host, keyOf(url)) : undefined;
  if (row) return endOf(row, now);
  return { kind: isDashboard ? "shows" : "missing" };
}

function endOf(row: ShortLinkRow, now: Date): ShortLinkEnd {
  const { url, starts_at: startsAt, expires_at: expiresAt, expired_url: expiredUrl } = row;
  if (row.off || (startsAt && startsAt > now)) return { kind: "missing" };
  if (expiresAt && expiresAt <= now) {
    return expiredUrl ? { kind: "leads", url: expiredUrl } : { kind: "missing" };
  }
  return row.asks || url === "" ? { kind: "shows" } : { kind: "leads", url };
}

function keyOf({ pathname }: URL): string {
  const path = pathname.replace(/^\/+|\/+$/g, "");
  try {
    return path === "" ? rootKey : decodeURIComponent(path).normalize("NFC");
  } catch {
    return path;
  }
}

interface ShortLinkRow {
  url: string;
  off: boolean;
  asks: boolean;
  starts_at: Date | null;
  expires_at: Date | null;
  expired_url: string | null;
}

async function findLink(host: string, exact: string): Promise<ShortLinkRow | undefined> {
  // Answered by domain_serving.
  const domain = await query.one<{ pk: number; folds: boolean }>(sql`
    SELECT pk, case_insensitive AS folds
    FROM domain
    WHERE slug = ${host}
      AND verified_at IS NOT NULL`);
  if (!domain) return undefined;
  const key = domain.folds ? exact.toLowerCase().normalize("NFC") : exact;
  // Answered by alias_pkey.
  const alias = await query.one<{ pk: number }>(
    sql`SELECT link_pk AS pk FROM alias WHERE domain_pk = ${domain.pk} AND key = ${key}`,
  );
  const pks = [alias?.pk ?? [], pkOfCode(key) ?? []].flat();
  // Answered by link_pkey.
  return await query.one<ShortLinkRow>(sql`
    SELECT url, starts_at, expires_at, expired_url,
      disabled_at IS NOT NULL OR banned_at IS NOT NULL OR retired_at IS NOT NULL AS off,
      password_hash IS NOT NULL OR form_id IS NOT NULL AS asks
    FROM link
    WHERE pk = ANY(${pks}::bigint[])
      AND domain_pk = ${domain.pk}
      AND key = ${key}
      AND workspace_pk IS NOT NULL`);
}
