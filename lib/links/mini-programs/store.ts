/** The SQL of the pages of mini programs that links open. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WechatProblem } from "#lib/platform/wechat/schema";

/**
 * Adds the pages that links open and that are not known yet. A loose scan of link_mini_program: it reads one entry per
 * page, and not one per link.
 */
export async function insertNewPages(pagesMax: number): Promise<void> {
  await query(sql`
    INSERT INTO wechat_page (workspace_pk, account_pk, path)
    SELECT account.workspace_pk, account.pk, found.path
    FROM wechat_account AS account
    CROSS JOIN LATERAL (
      WITH RECURSIVE page AS (
        (
          SELECT inside_apps ->> 'path' AS path, 1 AS number
          FROM link
          WHERE workspace_pk = account.workspace_pk
            AND inside_apps ->> 'open' = 'miniProgram'
            AND inside_apps ->> 'appId' = account.app_id
          ORDER BY inside_apps ->> 'path'
          LIMIT 1
        )
        UNION ALL
        SELECT next.path, page.number + 1
        FROM page
        CROSS JOIN LATERAL (
          SELECT inside_apps ->> 'path' AS path
          FROM link
          WHERE workspace_pk = account.workspace_pk
            AND inside_apps ->> 'open' = 'miniProgram'
            AND inside_apps ->> 'appId' = account.app_id
            AND inside_apps ->> 'path' > page.path
          ORDER BY inside_apps ->> 'path'
          LIMIT 1
        ) AS next
        WHERE page.number < ${pagesMax}
      )
      SELECT path FROM page
    ) AS found
    WHERE account.kind = 'miniProgram'
      AND account.next_at <= now()
    ON CONFLICT (account_pk, path) DO NOTHING`);
}

export interface DuePage {
  pk: number;
  workspace_pk: number;
  account_pk: number;
  app_id: string;
  path: string;
  attempts: number;
  /** Whether a link still opens it. */
  is_used: boolean;
}

/** Takes pages whose URL Link is due, for `leaseMs`: a process that ends meanwhile leaves them to the next run. */
export async function takeDuePages(max: number, leaseMs: number): Promise<DuePage[]> {
  return await query<DuePage>(
    // Answered by wechat_page_due, wechat_account_pkey and link_mini_program.
    sql`
      WITH due AS (
        SELECT page.pk, account.app_id
        FROM wechat_page AS page
        JOIN wechat_account AS account ON account.pk = page.account_pk
        WHERE page.next_at <= now()
          AND account.next_at <= now()
        ORDER BY page.next_at
        LIMIT ${max}
        FOR UPDATE OF page SKIP LOCKED
      )
      UPDATE wechat_page AS page
      SET next_at = now() + ${leaseMs} * interval '1 millisecond'
      FROM due
      WHERE page.pk = due.pk
      RETURNING page.pk, page.workspace_pk, page.account_pk, due.app_id, page.path, page.attempts,
        EXISTS (
          SELECT
          FROM link
          WHERE link.workspace_pk = page.workspace_pk
            AND inside_apps ->> 'open' = 'miniProgram'
            AND inside_apps ->> 'appId' = due.app_id
            AND inside_apps ->> 'path' = page.path
        ) AS is_used`,
  );
}

export async function deletePage(pk: number): Promise<void> {
  await query(sql`DELETE FROM wechat_page WHERE pk = ${pk}`);
}

export interface MadeUrlLink {
  pk: number;
  revision: number;
  url: string;
  expiresAt: Date;
  nextAt: Date;
}

/** Answered by wechat_page_pkey. */
export async function putUrlLink(tx: Connection, made: MadeUrlLink): Promise<void> {
  const { pk, revision, url, expiresAt, nextAt } = made;
  await query(
    sql`
      UPDATE wechat_page
      SET url_link = ${url}, revision = ${revision}, expires_at = ${expiresAt}, problem = NULL, attempts = 0,
        next_at = ${nextAt}
      WHERE pk = ${pk}`,
    tx,
  );
}

/** The previous URL Link stays until it expires. Answered by wechat_page_pkey. */
export async function putPageProblem(
  pk: number,
  problem: WechatProblem,
  nextAt: Date,
): Promise<void> {
  await query(sql`
    UPDATE wechat_page
    SET problem = ${problem}, attempts = attempts + 1, next_at = ${nextAt}
    WHERE pk = ${pk}`);
}

/** Due as soon as its account is. Answered by wechat_page_pkey. */
export async function putPageDue(pk: number): Promise<void> {
  await query(sql`UPDATE wechat_page SET next_at = now() WHERE pk = ${pk}`);
}

export interface PageProblem {
  appId: string;
  path: string;
  problem: WechatProblem;
}

/** Answered by wechat_page_workspace. */
export async function listPageProblems(workspacePk: number, max: number): Promise<PageProblem[]> {
  return await query<PageProblem>(sql`
    SELECT account.app_id AS "appId", page.path, page.problem
    FROM wechat_page AS page
    JOIN wechat_account AS account ON account.pk = page.account_pk
    WHERE page.workspace_pk = ${workspacePk}
      AND page.problem IS NOT NULL
    ORDER BY page.path
    LIMIT ${max}`);
}
