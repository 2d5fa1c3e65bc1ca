/** Responses of a share: never cached, with errors in the format of the API. */
import { config } from "#lib/platform/config";
import { AppError, presentError } from "#lib/platform/errors";

export const uncached = { "Cache-Control": "no-store" };

export function errorResponse(error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  const { status, body } = presentError(error, config().FUXI_URL);
  const { retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { "Retry-After": `${retryAfterSeconds}` };
  return Response.json(body, { status, headers: { ...uncached, ...later } });
}
