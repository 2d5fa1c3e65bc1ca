/** The routes of next-auth: signing in and out. Configured in lib/identity/auth. */

import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { getLocale } from "next-intl/server";
import { authOptions } from "#lib/identity/auth";
import { rememberDevice } from "#lib/identity/known-devices";
import { refuseMalformed } from "./malformed.ts";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const refusal = refuseMalformed(request, (await context.params).nextauth);
  if (refusal) return refusal;
  const userAgent = request.headers.get("user-agent") ?? "";
  const cookies = request.headers.get("cookie") ?? "";
  const browser = { userAgent, locale: await getLocale(), cookies };
  let signedIn: string | undefined;
  const options = authOptions(browser, (email) => {
    signedIn = email;
  });
  const response: Response = await NextAuth(request, context, options);
  if (signedIn !== undefined) {
    response.headers.append("Set-Cookie", rememberDevice(cookies, signedIn));
  }
  return response;
}

export { handle as GET, handle as POST };
