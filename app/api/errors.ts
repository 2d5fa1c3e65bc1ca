/** Every error in the one format of API.md. */
import { z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { config } from "#lib/platform/config";
import { AppError, errorCodes, presentError, unknownMessage } from "#lib/platform/errors";
import { isStoreAway } from "#lib/platform/instance";
import { log } from "#lib/platform/log";
import type { ApiContext, HeaderTarget } from "./router.ts";

const retryAfterSeconds = 2;

export const errorShape = z
  .object({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      doc_url: z.string(),
      problem: z
        .object({
          code: z.string(),
          params: z.record(z.string(), z.union([z.string(), z.number()])),
        })
        .optional()
        .describe(
          "For rejected files, destinations and lists: a stable code and the values used in the message.",
        ),
      fields: z
        .record(z.string(), z.string())
        .optional()
        .describe("Why each invalid field is invalid, by its path, such as `columns.0.name`."),
    }),
  })
  .openapi("Error");

export function respondWithError(error: Error, c: ApiContext): Response {
  const call = { requestId: c.env.requestId, path: c.req.path };
  const { status, body } = describeFailure(error, c, call);
  c.status(asStatus(status));
  return c.json(body);
}

/** Describes an error for any kind of response, and logs it if it is unexpected. */
export function describeFailure(
  error: Error,
  response: HeaderTarget,
  call: { requestId: string; path: string },
): ReturnType<typeof presentError> {
  const known = asAppError(error);
  if (known.status >= 500) {
    log.error({ event: "request.failed", ...call, error: error.stack ?? error.message });
  }
  if (known.retryAfterSeconds !== undefined) {
    response.header("Retry-After", String(known.retryAfterSeconds));
  }
  return presentError(known, config().FUXI_URL);
}

export function respondWithoutEndpoint(c: ApiContext): never {
  throw new AppError(
    "not_found",
    `Endpoint ${c.req.method} ${c.req.path} not found. See /docs/api.`,
  );
}

function asAppError(error: Error): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException) return ofFramework(error);
  if (isStoreAway(error)) {
    const message = "The service is temporarily unavailable. Try again in a moment.";
    return new AppError("service_unavailable", message, { retryAfterSeconds });
  }
  return new AppError("internal_server_error", unknownMessage);
}

/** Hono's own exceptions are about bodies: missing or invalid JSON. */
function ofFramework(error: HTTPException): AppError {
  if (error.status === 415) return notJson();
  return new AppError("bad_request", "The request body isn’t valid JSON.");
}

export function notJson(): AppError {
  return new AppError(
    "bad_request",
    "Send the request body as JSON with the header Content-Type: application/json.",
  );
}

/** Sound because the table of errors contains only error statuses. */
function asStatus(status: number): 400 {
  return status as 400;
}
