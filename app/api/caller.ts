/** Authenticates a request, before anything else: by API key, or by a dashboard session. */
import type { Next } from "hono";
import { admitApiKey } from "#lib/identity/api-keys";
import { userOfCookie } from "#lib/identity/sessions";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type RequestOrigin, withOrigin } from "#lib/tenancy/audit";
import { countKeyCall, type KeyCall } from "#lib/tenancy/key-use";
import { appHeader } from "#lib/tenancy/key-use/schema";
import { isLimited } from "#lib/tenancy/reach";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { type Access, accessOf, assertAccess } from "./access.ts";
import { checkBody } from "./body.ts";
import { countCall, setHeaders } from "./rate.ts";
import type { ApiContext } from "./router.ts";

export const bearer = "Bearer ";
const onlyServers =
  "Browsers can’t call this from other sites, because API keys must not be on pages. Call it from a server. Sites can report clicks, leads and sales with a public key.";

/** Middleware: puts the caller's scope into the context, and rejects requests that are invalid for every endpoint. */
export async function admit(c: ApiContext, next: Next): Promise<void> {
  // A browser asks first: refused here, it never sends the API key.
  if (c.req.method === "OPTIONS") throw new AppError("forbidden", onlyServers);
  const scope = await scopeOfCaller(c);
  c.set("scope", scope);
  const app = readApp(c);
  try {
    await pass(c, scope, next);
    countUse(c, scope, { app, refused: isRefusal(c.res.status) });
  } catch (error) {
    countUse(c, scope, { app, refused: error instanceof AppError && isRefusal(error.status) });
    throw error;
  }
}

async function pass(c: ApiContext, scope: WorkspaceScope, next: Next): Promise<void> {
  assertStorableAddress(c.req.url);
  const counted = await countCall(c, scope);
  const needed = accessOf(c);
  assertReachable(needed, scope);
  // Before the body is read: callers without permission learn nothing about what it accepts.
  // defence: permission-before-body
  if (needed) await assertAccess(needed, scope);
  await checkBody(c);
  if (mayWriteAudit(c)) await withOrigin(originOf(c), next);
  else await next();
  if (counted) setHeaders(c, counted);
}

export function isRefusal(status: number): boolean {
  return status === 403 || status === 429;
}

function countUse(
  c: ApiContext,
  scope: WorkspaceScope,
  use: Pick<KeyCall, "app" | "refused">,
): void {
  countKeyCall(scope, { address: c.env.address, ...use });
}

/**
 * What the application says about itself. A malformed header is refused, so that its developer
 * notices.
 */
function readApp(c: ApiContext): KeyCall["app"] {
  const text = c.req.header("x-fuxi-app");
  if (text === undefined) return undefined;
  const parsed = appHeader.safeParse(text);
  if (!parsed.success) {
    throw new AppError("bad_request", `X-Fuxi-App: ${parsed.error.issues[0]?.message}`);
  }
  const [name = "", version = ""] = parsed.data.split("/");
  return { name, version };
}

const createPaths = new Set(["/api/links", "/api/links/bulk"]);

/** Bulk creates and almost all reads write no audit entries, so they need no origin. */
function mayWriteAudit({ req }: ApiContext): boolean {
  if (req.method === "GET" || req.method === "HEAD") return req.path === "/api/expand";
  return req.method !== "POST" || !createPaths.has(req.path);
}

export function originOf(c: ApiContext): RequestOrigin {
  return { address: c.env.address, agent: c.req.header("user-agent") ?? "" };
}

/** The caller’s scope as of now. Long responses check it repeatedly. */
export function scopeOfCaller(c: ApiContext): Promise<WorkspaceScope> {
  const authorization = c.req.header("authorization");
  return authorization === undefined ? scopeOfCookie(c) : scopeOfBearer(c, authorization);
}

/** A path or query cannot contain half a surrogate pair, but it can contain U+0000. */
export function assertStorableAddress(url: string): void {
  if (!/%00/.test(url)) return;
  throw new AppError("bad_request", "Remove %00 (the character U+0000) from the URL.");
}

const heldKeys = {
  pending:
    "This API key is waiting for approval. It works once an administrator of this instance has approved it.",
  paused:
    "This API key is paused, because its creator was removed at the workspace’s sign-in provider. An owner or admin can resume it in the settings.",
} as const;

async function scopeOfBearer(c: ApiContext, authorization: string): Promise<WorkspaceScope> {
  if (!authorization.startsWith(bearer)) {
    throw new AppError(
      "bad_request",
      "Invalid Authorization header. Use Authorization: Bearer <API key>.",
    );
  }
  const admission = await admitApiKey(authorization.slice(bearer.length).trim(), c.env.address);
  if (admission.ok) return admission.scope;
  if (admission.code === "address") {
    countUse(c, admission.scope, { app: undefined, refused: true });
    throw new AppError(
      "forbidden",
      `This API key doesn’t accept requests from ${admission.address}. Add this IP address to the key’s allowed addresses.`,
    );
  }
  if (admission.code === "pending" || admission.code === "paused") {
    countUse(c, admission.scope, { app: undefined, refused: true });
    throw new AppError("forbidden", heldKeys[admission.code], {
      problem: `key_${admission.code}`,
    });
  }
  if (admission.code === "unknown") {
    throw new AppError("unauthorized", "This API key is unknown, expired or revoked.");
  }
  throw new AppError(
    "rate_limit_exceeded",
    "Too many requests with unknown API keys from your IP address. Wait, then try again.",
    admission,
  );
}

async function scopeOfCookie(c: ApiContext): Promise<WorkspaceScope> {
  const user = await userOfCookie(c.req.header("cookie"));
  if (!user) {
    throw new AppError(
      "unauthorized",
      "API key missing. Send it as Authorization: Bearer <API key>.",
    );
  }
  assertOwnOrigin(c);
  const slug = c.req.header("x-fuxi-workspace") ?? c.req.query("workspace");
  if (!slug) {
    throw new AppError(
      "bad_request",
      "Workspace missing. Send its slug in the X-Fuxi-Workspace header.",
    );
  }
  const scope = await openWorkspace(user.id, slug, user.sessionId);
  if (!scope) throw new AppError("not_found", "Workspace not found.");
  return scope;
}

/** Browsers attach the cookie to requests from other sites, which must not change anything. */
export function assertOwnOrigin(c: ApiContext): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const origin = c.req.header("origin");
  const own =
    origin === undefined
      ? c.req.header("sec-fetch-site") === "same-origin"
      : origin === config().FUXI_URL;
  if (!own) throw new AppError("forbidden", "This request wasn’t sent by the dashboard.");
}

/**
 * Limited keys may only call operations that declare `limitedKeys`, because only these leave out what the key cannot reach. New
 * operations are refused by default. Throws a 403, because a limited key may know that the operation exists.
 */
function assertReachable(needed: Access | undefined, scope: WorkspaceScope): void {
  // defence: limited-keys-by-operation
  if (!isLimited(scope) || needed?.limitedKeys) return;
  throw new AppError(
    "forbidden",
    "This API key is limited to some domains or folders, and only works with their links. Use a key without these limits.",
  );
}
