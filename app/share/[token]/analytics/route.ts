/** The stats of a share, with the queries and answers of the API. */
import { askShare } from "#lib/analytics/shares";
import { guestOf } from "../../guest.ts";
import { refused, unkept } from "./answers.ts";

interface Context {
  params: Promise<{ token: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  try {
    const asked = new URL(request.url).searchParams;
    return Response.json(await askShare(await guestOf(token), asked), { headers: unkept });
  } catch (error) {
    return refused(error);
  }
}
