import { queryDemo } from "#lib/analytics/shares";
import { getRequestAddress } from "#lib/identity/auth";
import { AppError } from "#lib/platform/errors";
import { openPublicDemo } from "#lib/tenancy/access";
import { answerOf, uncached } from "../../../../share/[token]/analytics/responses.ts";

interface RouteContext {
  params: Promise<{ workspace: string }>;
}

/** The stats of the public demo. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { workspace } = await params;
  return await answerOf(async () => {
    const scope = await openPublicDemo(workspace);
    if (!scope) throw new AppError("not_found", "There is no public demo at this address.");
    const query = new URL(request.url).searchParams;
    const answer = await queryDemo(scope, query, await getRequestAddress());
    return Response.json(answer, { headers: uncached });
  });
}
