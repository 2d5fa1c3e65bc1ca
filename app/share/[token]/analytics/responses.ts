import { config } from "#lib/platform/config";
import { AppError, presentError } from "#lib/platform/errors";
import { guestOf } from "../../guest.ts";

export const uncached = { "Cache-Control": "no-store" };

type Guest = Awaited<ReturnType<typeof guestOf>>;

/** A route of a share: never cached, with errors in the format of the API. */
export function shareRoute(answer: (guest: Guest, query: URLSearchParams) => Promise<Response>) {
  return async (request: Request, { params }: { params: Promise<{ token: string }> }) => {
    const { token } = await params;
    return await answerOf(async () =>
      answer(await guestOf(token), new URL(request.url).searchParams),
    );
  };
}

export async function answerOf(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    return errorResponse(error);
  }
}

function errorResponse(error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  const { status, body } = presentError(error, config().FUXI_URL);
  const { retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { "Retry-After": `${retryAfterSeconds}` };
  return Response.json(body, { status, headers: { ...uncached, ...later } });
}
