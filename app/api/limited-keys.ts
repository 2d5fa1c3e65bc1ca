/**
 * What API keys that are limited to domains or folders may call: operations on links whose rooms leave out what the key
 * does not reach. Everything else is refused, also what is added later: imports, live clicks, and changes of what all
 * links share.
 */
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isLimited } from "#lib/tenancy/reach";
import type { ApiContext } from "./router.ts";

const reads = [
  "/analytics",
  "/analytics/export",
  "/domains",
  "/domains/*",
  "/domains/*/verification",
  "/events",
  "/events/export",
  "/expand",
  "/folders",
  "/folders/*",
  "/links",
  "/links/*",
  "/links/*/qr",
  "/links/bulk/*",
  "/links/bulk/*/outcomes",
  "/me",
  "/qr-templates",
  "/tags",
  "/utm",
  "/workspaces/*",
];
const writes = ["/links", "/links/*"];

const patternOf = (paths: readonly string[]) =>
  new RegExp(`^/api(?:${paths.map((path) => path.replaceAll("*", "[^/]+")).join("|")})$`);
const readPattern = patternOf(reads);
const writePattern = patternOf(writes);

/** Whether a key that is limited may call it. */
export function isForLimitedKeys(method: string, path: string): boolean {
  return (method === "GET" || method === "HEAD" ? readPattern : writePattern).test(path);
}

/** Throws a 403: a limited key may know that the operation exists. */
export function assertReachable(c: ApiContext, scope: WorkspaceScope): void {
  if (!isLimited(scope) || isForLimitedKeys(c.req.method, c.req.path)) return;
  throw new AppError(
    "forbidden",
    "This API key is limited to some domains or folders, and only works with their links. Use a key without these limits.",
  );
}
