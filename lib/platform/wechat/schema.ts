/** Problems of calls to WeChat, which pages translate; and cache entries of URL Links. */

export const wechatProblems = [
  "secret",
  "appId",
  /** The address of this instance is not on the IP allowlist of the account. */
  "address",
  "page",
  "query",
  "unpublished",
  "permission",
  "dailyLimit",
  "busy",
  "unreachable",
  "refused",
] as const;
export type WechatProblem = (typeof wechatProblems)[number];

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
