import { notFound } from "next/navigation";
import { findDomain } from "#lib/links/hosts";
import { ownVisitsUrl } from "#lib/redirect/own-visits";
import { requireScope } from "../../../access.ts";

interface RouteContext {
  params: Promise<{ workspace: string }>;
}

/** Opens the page of a domain on which members choose whether the visits of their browser count. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const host = new URL(request.url).searchParams.get("domain") ?? "";
  const domain = await findDomain(scope, host);
  // defence: own-visits-of-own-domains
  if (domain?.workspacePk !== scope.workspacePk) notFound();
  const own = { workspacePk: scope.workspacePk, domainPk: domain.pk };
  const headers = {
    Location: ownVisitsUrl(domain.slug, own, Date.now()),
    "Cache-Control": "no-store",
  };
  return new Response(null, { status: 302, headers });
}
