/** What can be wrong with a call to WeChat, in words that pages translate; and the entries of URL Links in caches. */

export const wechatProblems = [
  /** The AppSecret is wrong. */
  "secret",
  "appId",
  /** The address of this instance is not on the IP allowlist of the account. */
  "address",
  /** The mini program has no such published page. */
  "page",
  "query",
  /** The mini program has no published version. */
  "unpublished",
  /** The account has no permission for this call. */
  "permission",
  "dailyLimit",
  /** Too many calls at this moment, or WeChat is busy. */
  "busy",
  /** No answer. */
  "unreachable",
  /** Anything else. */
  "refused",
] as const;
export type WechatProblem = (typeof wechatProblems)[number];

/** The URL Link of a page of a mini program. */
export function urlLinkEntry(workspacePk: number, appId: string, path: string): string {
  return `u:${workspacePk}:${appId}:${path}`;
}

export function parseUrlLinkEntry(entry: string): {
  workspacePk: number;
  appId: string;
  path: string;
} {
  const [, workspace = "", appId = "", ...path] = entry.split(":");
  return { workspacePk: Number(workspace), appId, path: path.join(":") };
}
