/** The stats of a share, with the queries and answers of the API. */
import { queryShare } from "#lib/analytics/shares";
import { guestOf } from "../../guest.ts";
import { errorResponse, uncached } from "./responses.ts";

interface RouteContext {
  params: Promise<{ token: string }>;
}

export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { token } = await params;
  try {
    const params = new URL(request.url).searchParams;
    return Response.json(await queryShare(await guestOf(token), params), { headers: uncached });
  } catch (error) {
    return errorResponse(error);
  }
}
