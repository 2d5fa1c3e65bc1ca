/** The routes of next-auth: signing in and out. Configured in lib/identity/auth. */

import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "#lib/identity/auth";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  return NextAuth(request, context, authOptions(request.headers.get("user-agent") ?? ""));
}

export { handle as GET, handle as POST };
