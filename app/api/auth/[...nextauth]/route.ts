/** The routes of next-auth: signing in and out. Configured in lib/identity/auth. */

import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { getLocale } from "next-intl/server";
import { authOptions, openOidcAttempt, ownUrl } from "#lib/identity/auth";
import { rememberDevice } from "#lib/identity/known-devices";
import { instanceProvider } from "#lib/identity/sso-providers/schema";
import { refuseMalformed } from "./malformed.ts";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const segments = (await context.params).nextauth;
  const refusal = refuseMalformed(request, segments);
  if (refusal) return refusal;
  const userAgent = request.headers.get("user-agent") ?? "";
  const cookies = request.headers.get("cookie") ?? "";
  const address = request.headers.get("x-forwarded-for") ?? "";
  const browser = { userAgent, locale: await getLocale(), cookies, address };
  const added: string[] = [];
  let leaveTo: string | undefined;
  const events = {
    signedIn: (email: string) => added.push(rememberDevice(cookies, email)),
    cookie: (header: string) => added.push(header),
    signedOut: (url: string) => {
      leaveTo = url;
    },
  };
  const attempt = await openOidcAttempt(segments[1]);
  if (!attempt && segments[1]?.startsWith(instanceProvider)) return leaveAway(request);
  const options = authOptions(browser, events, attempt);
  let response: Response = await NextAuth(request, context, options);
  // The page that signs out goes where the response says.
  if (leaveTo !== undefined && response.ok) {
    response = Response.json({ url: leaveTo }, { headers: keptHeaders(response) });
  }
  for (const header of added) response.headers.append("Set-Cookie", header);
  return response;
}

/** The provider was removed, or can’t be reached. */
function leaveAway({ method }: NextRequest): Response {
  const url = ownUrl("/signin?error=sso_away");
  return method === "POST" ? Response.json({ url }) : Response.redirect(url);
}

function keptHeaders({ headers }: Response): Headers {
  const kept = new Headers();
  for (const cookie of headers.getSetCookie()) kept.append("Set-Cookie", cookie);
  return kept;
}

export { handle as GET, handle as POST };
