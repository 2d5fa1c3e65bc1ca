/** The code of a mini program opens its page without the link, so its scans are no clicks. */
import { noteCall, openAccountOfApp } from "#lib/audience/wechat-accounts";
import type { InsideApps } from "#lib/links/link-cache/schema";
import { getLink } from "#lib/links/reading";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { drawProgramCode, type ProgramCode } from "#lib/platform/wechat";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";

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
