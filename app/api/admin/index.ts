/**
 * /api/admin: the back office for scripts and the dashboard of administrators.
 *
 * This is a separate application, so its operations are not in the API document. Callers who may not use it fall through to the
 * API, which has no such endpoint. Each file next to this one exports an `OfficeResource`, which is mounted here.
 */
import type { Next } from "hono";
import { userOfCookie } from "#lib/identity/sessions";
import { AppError } from "#lib/platform/errors";
import { addressSubject, takeCall, tryLimit } from "#lib/platform/limits";
import { withOrigin } from "#lib/tenancy/audit";
import { type OperatorScope, openOperator, operatorOfToken } from "#lib/tenancy/operators";
import { checkBody } from "../body.ts";
import { assertOwnOrigin, assertStorableAddress, originOf } from "../caller.ts";
import { respondWithError, respondWithoutEndpoint } from "../errors.ts";
import { setHeaders } from "../rate.ts";
import { type ApiContext, newRouter } from "../router.ts";
import { accounts } from "./accounts.ts";
import { bans } from "./bans.ts";
import { lists } from "./lists.ts";
import { system } from "./system.ts";
import { views } from "./views.ts";

const callsPerMinuteMax = 600;

const admin = newRouter().basePath("/api/admin");
admin.onError(respondWithError);
admin.notFound(respondWithoutEndpoint);
admin.use("*", async (c, next) => {
  const { operator } = c.env;
  if (!operator) return respondWithoutEndpoint(c);
  c.set("operator", operator);
  const counted = await takeCall(`operator:${operator.actor}`, callsPerMinuteMax);
  setHeaders(c, counted);
  if (!counted.ok) {
    throw new AppError(
      "rate_limit_exceeded",
      `Rate limit of ${callsPerMinuteMax} requests per minute exceeded. Try again in ${counted.retryAfterSeconds} seconds.`,
      counted,
    );
  }
  await checkBody(c);
  await withOrigin(operator.origin, next);
  setHeaders(c, counted);
});
for (const resource of [views, accounts, bans, system, lists]) admin.route("/", resource);

/** Middleware: answers an administrator, and passes everyone else on. */
export async function admitOperator(c: ApiContext, next: Next): Promise<Response | undefined> {
  const operator = await findOperator(c);
  if (!operator) {
    await next();
    return undefined;
  }
  assertStorableAddress(c.req.url);
  return await admin.fetch(c.req.raw, { ...c.env, operator });
}

function findOperator(c: ApiContext): Promise<OperatorScope | undefined> {
  const authorization = c.req.header("authorization");
  return authorization === undefined ? findByCookie(c) : findByToken(c, authorization);
}

async function findByToken(c: ApiContext, header: string): Promise<OperatorScope | undefined> {
  const [, token] = /^Bearer (.+)$/.exec(header) ?? [];
  if (token === undefined) return undefined;
  const attempt = await tryLimit("adminTokenPerAddress", addressSubject(c.env.address));
  // defence: operator-token-guesses
  if (!attempt.ok) return undefined;
  const operator = operatorOfToken(token.trim(), originOf(c));
  if (operator) await attempt.refund();
  return operator;
}

async function findByCookie(c: ApiContext): Promise<OperatorScope | undefined> {
  const user = await userOfCookie(c.req.header("cookie"));
  if (!user) return undefined;
  const access = await openOperator(user, originOf(c));
  if (access.ok) {
    // defence: operator-session-origin
    assertOwnOrigin(c);
    return access.operator;
  }
  if (access.code === "hidden") return undefined;
  const message =
    access.code === "factor_missing"
      ? "The back office requires two-factor authentication. Turn it on in your security settings."
      : "Open the back office in a browser and enter a verification code, then try again.";
  throw new AppError("forbidden", message, { problem: access.code });
}

/** Every operation, as method and path; tests compare them with their tables. */
export function listAdminRoutes(): string[] {
  const routes = admin.routes.filter(({ method }) => method !== "ALL");
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}
