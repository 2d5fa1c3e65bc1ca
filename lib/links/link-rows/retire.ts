import { dayMs } from "#lib/basics/time/schema";
import { rootKey, warningDays } from "#lib/links/link-columns/schema";
import { type Connection, sql } from "#lib/platform/postgres";
import type { RetirementRules } from "#lib/tenancy/plans";
import { lockFreeLinks, lockLinks } from "./locks.ts";
import type { LinkRow } from "./row.ts";

/** What the date of a link follows from. */
type DatedLink = Pick<
  LinkRow,
  "key" | "url" | "api_key_pk" | "qr" | "created_at" | "retires_own" | "retires_at" | "retired_at"
>;

interface Visits {
  lastClickAt: Date | null;
  scans: number;
}

/**
 * When a link retires unless it is visited, as `planRetirements` writes it some time before. Null: never.
 * A written date may be later, because it never moves into the warning period.
 */
export function dueDate(
  link: DatedLink,
  { lastClickAt, scans }: Visits,
  rules: RetirementRules,
): Date | null {
  if (link.retires_own || link.retired_at) return link.retires_at;
  const days = link.api_key_pk === null ? rules.peopleDays : rules.apiDays;
  const isPrinted = link.qr !== null || scans > 0;
  if (days === 0 || isPrinted || link.url === "" || link.key === rootKey) return null;
  const visited = rules.fromCreation ? 0 : (lastClickAt?.getTime() ?? 0);
  const computed = Math.max(link.created_at.getTime(), visited) + days * dayMs;
  return new Date(Math.max(computed, link.retires_at?.getTime() ?? 0));
}

/**
 * Writes the dates of links without their own. A date never moves into the warning period, and only
 * moves by a day or more, so that a link with daily visits is not written every day. Links that are
 * printed, with a QR design or a scan, have no date. Returns the number of changes.
 */
export async function planRetirements(
  tx: Connection,
  pks: readonly number[],
  rules: RetirementRules,
  now: Date,
): Promise<number> {
  const locked = await lockLinks(tx, pks, "no key update");
  // Answered by link_pkey and link_stat_pkey.
  // defence: retirement-warning
  const planned = await tx.query(sql`
    WITH ruled AS (
      SELECT link.pk, link.retires_at,
        CASE
          WHEN link.qr IS NOT NULL OR link_stat.scans > 0 THEN 0
          WHEN link.api_key_pk IS NULL THEN ${rules.peopleDays}::int
          ELSE ${rules.apiDays}::int
        END AS days,
        greatest(
          link.created_at,
          CASE WHEN NOT ${rules.fromCreation}::boolean THEN link_stat.last_click_at END
        ) AS since,
        ${now}::timestamptz + ${warningDays + 1} * interval '1 day' AS soonest
      FROM link
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE link.pk = ANY(${locked}::bigint[])
        AND NOT link.retires_own
        AND link.retired_at IS NULL
        AND link.url <> ''
        AND link.key <> '_root'
    ), dated AS (
      SELECT pk, retires_at AS before,
        CASE WHEN days > 0 THEN greatest(
          since + days * interval '1 day',
          least(retires_at, soonest)
        ) END AS after
      FROM ruled
    )
    UPDATE link
    SET retires_at = dated.after
    FROM dated
    WHERE link.pk = dated.pk
      AND ((dated.before IS NULL) <> (dated.after IS NULL)
        OR abs(extract(epoch FROM dated.after - dated.before)) >= 86400)
    RETURNING 1`);
  return planned.length;
}

export interface RetiredLink {
  pk: number;
  id: string;
  domain_pk: number;
  key: string;
}

/** The position of a page in a list ordered by `at`. */
export interface Position {
  at: Date;
  pk: number;
}

/** A page of links, except those that another transaction is changing. */
interface LockedPage<T> {
  links: T[];
  /** Size of the page, including skipped links. */
  read: number;
  last: Position | undefined;
}

export async function lockDue(
  tx: Connection,
  workspacePk: number,
  now: Date,
  { after, max }: { after: Position | undefined; max: number },
): Promise<LockedPage<number>> {
  // Answered by link_retiring. Retiring must not hide that a link is banned.
  const page = await tx.query<Position>(sql`
    SELECT retires_at AS at, pk
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND retires_at <= ${now}
      AND retired_at IS NULL
      AND banned_at IS NULL
      AND (retires_at, pk) > (${after?.at ?? "-infinity"}::timestamptz, ${after?.pk ?? 0})
    ORDER BY retires_at, pk
    LIMIT ${max}`);
  return { links: await lockFreeLinks(tx, pksOf(page)), read: page.length, last: page.at(-1) };
}

function pksOf(rows: readonly { pk: number }[]): number[] {
  return rows.map(({ pk }) => pk);
}

export function retireRows(
  tx: Connection,
  pks: readonly number[],
  now: Date,
  revision: number,
): Promise<RetiredLink[]> {
  // Answered by link_pkey.
  return tx.query(sql`
    UPDATE link
    SET retired_at = ${now},
      revision = ${revision}
    WHERE pk = ANY(${pks}::bigint[])
      AND retires_at <= ${now}
      AND retired_at IS NULL
      AND banned_at IS NULL
    RETURNING pk, id, domain_pk, key`);
}

/** Marks links that would retire by `until` as kept forever. Returns their number. */
export async function keepRows(
  tx: Connection,
  workspacePk: number,
  until: Date,
  max: number,
): Promise<number> {
  // Answered by link_retiring.
  const first = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND retires_at <= ${until}
      AND retired_at IS NULL
    ORDER BY retires_at, pk
    LIMIT ${max}`);
  const locked = await lockLinks(tx, pksOf(first), "no key update");
  // Answered by link_pkey.
  const kept = await tx.query(sql`
    UPDATE link
    SET retires_at = NULL,
      retires_own = true
    WHERE pk = ANY(${locked}::bigint[])
      AND workspace_pk = ${workspacePk}
      AND retires_at <= ${until}
      AND retired_at IS NULL
    RETURNING 1`);
  return kept.length;
}

export interface EndedLink extends RetiredLink {
  recyclable: boolean;
}

export async function lockEnded(
  tx: Connection,
  workspacePk: number,
  retiredBefore: Date,
  { after, max }: { after: Position | undefined; max: number },
): Promise<LockedPage<EndedLink>> {
  // Answered by link_retired.
  const page = await tx.query<Position>(sql`
    SELECT retired_at AS at, pk
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND retired_at <= ${retiredBefore}
      AND (retired_at, pk) > (${after?.at ?? "-infinity"}::timestamptz, ${after?.pk ?? 0})
    ORDER BY retired_at, pk
    LIMIT ${max}`);
  const locked = await lockFreeLinks(tx, pksOf(page));
  const links = await readEnded(tx, workspacePk, retiredBefore, locked);
  return { links, read: page.length, last: page.at(-1) };
}

async function readEnded(
  tx: Connection,
  workspacePk: number,
  retiredBefore: Date,
  locked: readonly number[],
): Promise<EndedLink[]> {
  // Answered by link_pkey and link_stat_pkey. Not recycled: printed codes, chosen names, and what
  // browsers may have stored (permanent redirects, passwords, used-up limits).
  // defence: recycled-code-without-scans
  const ended = await tx.query<EndedLink>(sql`
    SELECT link.pk, link.id, link.domain_pk, link.key,
      NOT link.alias
        AND link.qr IS NULL
        AND coalesce(link_stat.scans, 0) = 0
        AND link.password_hash IS NULL
        AND link.max_clicks IS NULL
        AND link.redirect_status IN (0, 302, 307) AS recyclable
    FROM link
    LEFT JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link.pk = ANY(${locked}::bigint[])
      AND link.workspace_pk = ${workspacePk}
      AND link.retired_at <= ${retiredBefore}`);
  const codes = ended.map(({ key }) => key);
  const names = await findNamesOfCodes(tx, codes);
  return ended.map((link) => ({ ...link, recyclable: link.recyclable && !names.has(link.key) }));
}

async function findNamesOfCodes(tx: Connection, codes: readonly string[]): Promise<Set<string>> {
  // Answered by alias_code.
  const found = await tx.query<{ key: string }>(sql`
    SELECT key
    FROM alias
    WHERE key = ANY(${codes}::text[])
      AND key ~ '^[0-9A-Za-z]{6,7}$'`);
  return new Set(found.map(({ key }) => key));
}
