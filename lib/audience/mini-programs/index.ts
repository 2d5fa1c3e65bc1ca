/**
 * The pages of mini programs that links open, and their URL Links. A URL Link opens one page for 30
 * days, for any number of visitors, with the query of a link as its parameter `cq`. WeChat limits
 * how many are made per day, so there is one per page instead of one per link. A job makes and
 * renews them. A visit uses what is stored and never waits for WeChat.
 */
import { z } from "zod";
import { noteCall, openAccountOfApp } from "#lib/audience/wechat-accounts";
import { dayMs } from "#lib/basics/time/schema";
import type { InsideApps } from "#lib/links/link-cache/schema";
import { getLink } from "#lib/links/reading";
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import {
  drawProgramCode,
  makeUrlLink,
  type ProgramCode,
  retryAt,
  urlLinkDays,
  type WechatFailure,
} from "#lib/platform/wechat";
import { urlLinkEntry, type WechatProblem } from "#lib/platform/wechat/schema";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import {
  type DuePage,
  deletePage,
  insertNewPages,
  isUsed,
  listPageProblems,
  type PageProblem,
  putPageDue,
  putPageProblem,
  putUrlLink,
  takeDuePages,
} from "./store.ts";

export type { PageProblem } from "./store.ts";

/** URL Links are renewed this early, so that visitors don’t notice a few days of failures. */
const renewBeforeDays = 5;
/** Pages with a URL Link, per mini program. Other pages open with the plain URL Scheme. */
const pagesMax = 1_000;
/** These calls take a few seconds, so that the worker’s other jobs get their turn. */
const takenMax = 20;
const leaseMs = 300_000;
const everyMs = 30_000;
const problemsShownMax = 20;

/** Problems of a page, not of its account. */
const pageProblems: readonly WechatProblem[] = ["page", "query"];

/** Creates and renews URL Links that are due. Returns the number of new ones. */
export async function makeUrlLinks(pages = pagesMax): Promise<number> {
  await insertNewPages(pages);
  const due = await takeDuePages(takenMax, leaseMs);
  // An account that fails is skipped until its problem allows another call.
  const failed = new Set<number>();
  let made = 0;
  for (const page of due) {
    const outcome = failed.has(page.account_pk) ? "failed" : await makeOne(page);
    if (outcome === "made") made += 1;
    if (outcome !== "failed") continue;
    failed.add(page.account_pk);
    await putPageDue(page.pk);
  }
  return made;
}

/** `failed`: the account failed, not just this page. */
async function makeOne(page: DuePage): Promise<"made" | "failed" | "none"> {
  if (!(await isUsed(page))) {
    await deletePage(page.pk);
    return "none";
  }
  const account = await openAccountOfApp(page.workspace_pk, page.app_id);
  if (!account) return "none"; // deleted meanwhile, with its pages
  const result = await makeUrlLink(account.app, page.path);
  if (!result.ok && pageProblems.includes(result.problem)) {
    await refuse(page, result);
    return "none";
  }
  await noteCall(account, result);
  if (!result.ok) return "failed";
  await store(page, result.value);
  return "made";
}

async function refuse({ pk, attempts }: DuePage, { problem }: WechatFailure): Promise<void> {
  const now = Date.now();
  await putPageProblem(pk, problem, new Date(retryAt(problem, attempts, now) ?? now + dayMs));
}

async function store({ pk, workspace_pk, app_id, path }: DuePage, url: string): Promise<void> {
  const now = Date.now();
  const changes = await transaction(async (tx) => {
    const revision = await takeRevision(tx);
    const expiresAt = new Date(now + urlLinkDays * dayMs);
    const nextAt = new Date(now + (urlLinkDays - renewBeforeDays) * dayMs);
    await putUrlLink(tx, { pk, revision, url, expiresAt, nextAt });
    const change = { entry: urlLinkEntry(workspace_pk, app_id, path), revision };
    await recordChanges(tx, [change]);
    return [change];
  });
  await publishChanges(changes);
}

export async function listRefusedPages(scope: WorkspaceScope): Promise<PageProblem[]> {
  assertMay(scope, "links.read");
  return await listPageProblems(scope.workspacePk, problemsShownMax);
}

export const miniProgramJobs = [
  defineJob({ name: "url-link.make", schema: z.object({}), handle: () => makeUrlLinks(), everyMs }),
];

/** "最大32个可见字符": developers.weixin.qq.com, getwxacodeunlimit. Without % and similar signs. */
const scenePattern = /^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/;

/** Throws if the link opens no mini program of an account, or WeChat refuses. */
export async function getProgramCode(
  scope: WorkspaceScope,
  linkId: string,
  width: number,
): Promise<ProgramCode> {
  assertMay(scope, "links.read");
  const { link } = await getLink(scope, linkId);
  const program = link.insideApps;
  if (program?.open !== "miniProgram") {
    throw new AppError("unprocessable_entity", "This link doesn’t open a mini program.", {
      problem: "wechat_no_program",
    });
  }
  const scene = sceneOf(program, link.key);
  const account = await openAccountOfApp(scope.workspacePk, program.appId ?? "");
  if (!account) {
    const message = "The workspace has no WeChat account with this AppID. Add it first.";
    throw new AppError("unprocessable_entity", message, { problem: "wechat_no_account" });
  }
  const attempt = await tryLimit("wechatCallPerWorkspace", String(scope.workspacePk));
  if (!attempt.ok) {
    const message = "Too many calls to WeChat. Try again in a moment.";
    throw new AppError("rate_limit_exceeded", message, attempt);
  }
  const result = await drawProgramCode(account.app, { page: program.path ?? "", scene, width });
  if (result.ok) return result.value;
  const isOfPage = result.problem === "page" || result.problem === "query";
  if (!isOfPage) await noteCall(account, result);
  const message = `WeChat refused the code (${result.problem}${result.errcode === null ? "" : `, ${result.errcode}`}).`;
  const code = isOfPage ? "wechat_page" : "wechat_refused";
  throw new AppError(result.errcode === null ? "service_unavailable" : "conflict", message, {
    problem: code,
  });
}

/** The mini program reads this as `scene`: the query of the link, otherwise its slug. */
function sceneOf({ query = "" }: InsideApps, key: string): string {
  const scene = query === "" ? key : query;
  if (scenePattern.test(scene)) return scene;
  const message =
    "The code of a mini program can hold up to 32 letters, digits and !#$&'()*+,/:;=?@-._~. Shorten the query.";
  throw new AppError("unprocessable_entity", message, { problem: "wechat_scene" });
}
