import { siteIcon } from "#lib/destinations/pages";
import { isGuest } from "#lib/tenancy/access/schema";
import { requireReader } from "../../access.ts";

interface RouteContext {
  params: Promise<{ workspace: string }>;
}

const foundSeconds = 86_400;
const missingSeconds = 3_600;

/** The icon of a destination's site; an empty response if there is none. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { workspace } = await params;
  const scope = await requireReader(workspace);
  // A visitor must not make the server fetch from other sites.
  // defence: guest-fetches-nothing
  if (isGuest(scope)) return new Response(null, { status: 204 });
  const site = new URL(request.url).searchParams.get("site") ?? "";
  const { png, later } = await siteIcon(scope, site);
  if (!png) {
    const keep = later ? "no-store" : `private, max-age=${missingSeconds}`;
    return new Response(null, { status: 204, headers: { "Cache-Control": keep } });
  }
  return new Response(new Uint8Array(png), {
    headers: {
      "Content-Type": "image/png",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Cache-Control": `private, max-age=${foundSeconds}`,
    },
  });
}
