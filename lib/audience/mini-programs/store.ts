import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WechatProblem } from "#lib/platform/wechat/schema";

interface MiniProgram {
  pk: number;
  workspace_pk: number;
  app_id: string;
}

/** Adds pages that links open and that are not known yet. */
export async function insertNewPages(pagesMax: number): Promise<void> {
  const programs = await query<MiniProgram>(sql`
    SELECT pk, workspace_pk, app_id
    FROM wechat_account
    WHERE kind = 'miniProgram'
      AND next_at <= now()`);
  for (const program of programs) {
    const paths = await listPaths(program, pagesMax);
    // Answered by wechat_account_pkey, so that a deleted account gets no pages. Truncates the time so that pages are due
    // at once: the column would round it, perhaps to a time after the next statement.
    await query(sql`
      INSERT INTO wechat_page (workspace_pk, account_pk, path, next_at)
      SELECT account.workspace_pk, account.pk, path, date_trunc('milliseconds', now())
      FROM wechat_account AS account
      CROSS JOIN unnest(${paths}::text[]) AS path
      WHERE account.pk = ${program.pk}
      ON CONFLICT (account_pk, path) DO NOTHING`);
  }
}

/** A loose scan: reads one link per page instead of all links. */
async function listPaths({ workspace_pk, app_id }: MiniProgram, pagesMax: number) {
  const paths: string[] = [];
  while (paths.length < pagesMax) {
    // Answered by link_mini_program.
    const [next] = await query<{ path: string }>(sql`
      SELECT inside_apps ->> 'path' AS path
      FROM link
      WHERE workspace_pk = ${workspace_pk}
        AND inside_apps ->> 'open' = 'miniProgram'
        AND inside_apps ->> 'appId' = ${app_id}
        AND inside_apps ->> 'path' > ${paths.at(-1) ?? ""}
      ORDER BY inside_apps ->> 'path'
      LIMIT 1`);
    if (!next) break;
    paths.push(next.path);
  }
  return paths;
}

export interface DuePage {
  pk: number;
  workspace_pk: number;
  account_pk: number;
  app_id: string;
  path: string;
  attempts: number;
}

/** Leases pages whose URL Link is due. If the process dies, the next run takes them. */
export function takeDuePages(max: number, leaseMs: number) {
  return query<DuePage>(
    // Answered by wechat_page_due and wechat_account_pkey.
    // defence: url-link-once
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
      RETURNING page.pk, page.workspace_pk, page.account_pk, due.app_id, page.path, page.attempts`,
  );
}

export async function isUsed({ workspace_pk, app_id, path }: DuePage): Promise<boolean> {
  // Answered by link_mini_program.
  return await query.any(sql`
    SELECT 1
    FROM link
    WHERE workspace_pk = ${workspace_pk}
      AND inside_apps ->> 'open' = 'miniProgram'
      AND inside_apps ->> 'appId' = ${app_id}
      AND inside_apps ->> 'path' = ${path}
    LIMIT 1`);
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
  await tx.query(sql`
    UPDATE wechat_page
    SET url_link = ${url}, revision = ${revision}, expires_at = ${expiresAt}, problem = NULL, attempts = 0,
      next_at = ${nextAt}
    WHERE pk = ${pk}`);
}

/** The previous URL Link stays until it expires. Answered by wechat_page_pkey. */
export async function putPageProblem(pk: number, problem: WechatProblem, nextAt: Date) {
  await query(sql`
    UPDATE wechat_page
    SET problem = ${problem}, attempts = attempts + 1, next_at = ${nextAt}
    WHERE pk = ${pk}`);
}

/** Makes a page due as soon as its account is. Answered by wechat_page_pkey. */
export async function putPageDue(pk: number): Promise<void> {
  await query(sql`UPDATE wechat_page SET next_at = now() WHERE pk = ${pk}`);
}

export interface PageProblem {
  appId: string;
  path: string;
  problem: WechatProblem;
}

/** Answered by wechat_page_workspace. */
export function listPageProblems(workspacePk: number, max: number) {
  return query<PageProblem>(sql`
    SELECT account.app_id AS "appId", page.path, page.problem
    FROM wechat_page AS page
    JOIN wechat_account AS account ON account.pk = page.account_pk
    WHERE page.workspace_pk = ${workspacePk}
      AND page.problem IS NOT NULL
    ORDER BY page.path
    LIMIT ${max}`);
}
