/** The numbers of a share, asked for as those of the API are, and answered like them. */
import { config } from "#lib/config";
import { AppError, presentError } from "#lib/errors";
import { askShare } from "#lib/shares";
import { guestOf } from "../../guest.ts";

interface Context {
  params: Promise<{ token: string }>;
}

const headers = { "Cache-Control": "no-store" };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  try {
    const asked = new URL(request.url).searchParams;
    return Response.json(await askShare(await guestOf(token), asked), { headers });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, body } = presentError(error, config().FUXI_URL);
    const { retryAfterSeconds } = error;
    const later = retryAfterSeconds === undefined ? {} : { "Retry-After": `${retryAfterSeconds}` };
    return Response.json(body, { status, headers: { ...headers, ...later } });
  }
}
