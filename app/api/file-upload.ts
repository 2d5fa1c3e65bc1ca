import { z } from "@hono/zod-openapi";
import { withTimeout } from "#lib/basics/bounds";
import { AppError } from "#lib/platform/errors";
import { boundaryOf, formBytesMax, openFormFile } from "./form-file.ts";
import type { ApiContext } from "./router.ts";

const file = { type: "string" as const, format: "binary" };
const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const types =
  /^(text\/csv|application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet|application\/octet-stream|text\/plain|application\/vnd\.ms-excel)\b/i;

export const fileBody = {
  required: true,
  content: {
    "text/csv": { schema: file },
    [workbookType]: { schema: file },
    "application/octet-stream": { schema: file },
    "multipart/form-data": { schema: z.object({ file: z.any().openapi(file) }) },
  },
};

/** A client that doesn’t start to send the file within this time is disconnected. */
const headMs = 30_000;
const nameCharsMax = 200;

function formStopped(): AppError {
  return new AppError("bad_request", "The upload stopped. Send the file again.");
}

interface UploadedBody {
  name: string | undefined;
  body: ReadableStream<Uint8Array> | null;
  /** 0 if the client did not declare a length. */
  declaredBytes: number;
}

export async function openUpload(
  c: ApiContext,
  givenName: string | undefined,
): Promise<UploadedBody> {
  const type = c.req.header("content-type") ?? "";
  // A chunked body has no length.
  const declaredBytes = Number(c.req.header("content-length")) || 0;
  const { body } = c.req.raw;
  const boundary = boundaryOf(type);
  if (boundary !== undefined && body) {
    const form = await withTimeout(headMs, () => openFormFile(body, boundary), formStopped);
    const name = givenName ?? form.name?.slice(0, nameCharsMax);
    // The rest of the form is not part of the file.
    return { name, body: form.bytes, declaredBytes: Math.max(declaredBytes - formBytesMax, 0) };
  }
  if (types.test(type)) return { name: givenName, body, declaredBytes };
  throw new AppError(
    "bad_request",
    "Send the file as the request body with the header Content-Type: text/csv, or as the field `file` of a form.",
  );
}
