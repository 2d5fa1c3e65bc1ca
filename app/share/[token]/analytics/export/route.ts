/** One card of a share as CSV, or all of them as a ZIP archive. */
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
    const { name, type, body } = await exportShare(await guestOf(token), params);
    const headers = {
      ...uncached,
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
    };
    return new Response(body, { headers });
  } catch (error) {
    return errorResponse(error);
  }
}
