/** One card of a share as CSV. */
import { exportShare } from "#lib/analytics/shares";
import { guestOf } from "../../../guest.ts";
import { errorResponse, uncached } from "../responses.ts";

interface RouteContext {
  params: Promise<{ token: string }>;
}

export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { token } = await params;
  try {
    const params = new URL(request.url).searchParams;
    const { name, text } = await exportShare(await guestOf(token), params);
    const headers = {
      ...uncached,
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    };
    return new Response(text, { headers });
  } catch (error) {
    return errorResponse(error);
  }
}
