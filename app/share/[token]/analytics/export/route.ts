/** One card of a share as CSV. */
import { exportShare } from "#lib/analytics/shares";
import { guestOf } from "../../../guest.ts";
import { refused, unkept } from "../answers.ts";

interface Context {
  params: Promise<{ token: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  try {
    const asked = new URL(request.url).searchParams;
    const { name, text } = await exportShare(await guestOf(token), asked);
    const headers = {
      ...unkept,
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    };
    return new Response(text, { headers });
  } catch (error) {
    return refused(error);
  }
}
