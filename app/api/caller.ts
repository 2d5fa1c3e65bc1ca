/** Who calls, before anything else: an API key, or somebody who is signed in to the dashboard. */
import type { Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { admitApiKey, userOfCookie } from "#lib/auth";
import { config } from "#lib/config";
import { AppError } from "#lib/errors";
import { openWorkspace, type WorkspaceScope } from "#lib/workspaces";
import type { ApiContext } from "./router.ts";

const bearer = "Bearer ";
/** Parsing holds up everyone else in the process: a megabyte takes about five milliseconds. */
const bodyBytesMax = 1024 * 1024;

/** Middleware: refuses a body that is too large, then puts the caller's scope into the context. */
export async function admit(c: ApiContext, next: Next): Promise<Response | undefined> {
  const authorization = c.req.header("authorization");
  const scope =
    authorization === undefined ? await scopeOfCookie(c) : await scopeOfBearer(c, authorization);
  c.set("scope", scope);
  const length = c.req.header("content-length");
  if (length !== undefined) {
    if (Number(length) > bodyBytesMax) throw tooLarge();
  } else if (c.req.header("transfer-encoding") !== undefined) {
    // Without a length the body is counted while it is read.
    return (await countBody(c, next)) ?? undefined;
  }
  await next();
  return undefined;
}

function tooLarge(): AppError {
  return new AppError("bad_request", `A body has at most ${bodyBytesMax >> 20} MB.`);
}

const countBody = bodyLimit({
  maxSize: bodyBytesMax,
  onError: () => {
    throw tooLarge();
  },
});

async function scopeOfBearer(c: ApiContext, authorization: string): Promise<WorkspaceScope> {
  if (!authorization.startsWith(bearer)) {
    throw new AppError("bad_request", "Write the header as Authorization: Bearer <API key>.");
  }
  const admission = await admitApiKey(authorization.slice(bearer.length).trim(), c.env.address);
  if (admission.ok) return admission.scope;
  if (admission.code === "unknown") {
    throw new AppError("unauthorized", "This API key is unknown, expired or revoked.");
  }
  throw new AppError(
    "rate_limit_exceeded",
    "Too many unknown API keys came from your address. Wait before you try again.",
    admission.retryAfterSeconds,
  );
}

async function scopeOfCookie(c: ApiContext): Promise<WorkspaceScope> {
  const user = await userOfCookie(c.req.header("cookie"));
  if (!user) {
    throw new AppError("unauthorized", "Send your API key as Authorization: Bearer <API key>.");
  }
  assertOwnOrigin(c);
  const slug = c.req.header("x-fuxi-workspace") ?? c.req.query("workspace");
  if (!slug) {
    throw new AppError("bad_request", "Name the workspace in the header X-Fuxi-Workspace.");
  }
  const scope = await openWorkspace(user.id, slug);
  if (!scope) throw new AppError("not_found", "There is no such workspace.");
  return scope;
}

/** Browsers attach the cookie to requests that other sites make; those must change nothing. */
function assertOwnOrigin(c: ApiContext): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const origin = c.req.header("origin");
  const own =
    origin === undefined
      ? c.req.header("sec-fetch-site") === "same-origin"
      : origin === config().FUXI_URL;
  if (!own) throw new AppError("forbidden", "This request did not come from the dashboard.");
}
