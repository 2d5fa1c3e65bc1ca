/** The routes of next-auth: signing in and out. Configured in lib/identity/auth. */

import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { getLocale } from "next-intl/server";
import { authOptions } from "#lib/identity/auth";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const userAgent = request.headers.get("user-agent") ?? "";
  return await NextAuth(request, context, authOptions({ userAgent, locale: await getLocale() }));
}

export { handle as GET, handle as POST };
