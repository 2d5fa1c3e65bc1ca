/** Reads bodies that have to be verified exactly as they arrived, before they are parsed. */
import { AppError } from "#lib/platform/errors";
import { assertSimple } from "./hostile-text.ts";

const jsonStart = /^\s*[[{]/;

/** Throws a 400 if the body is too long, without reading the rest, or if its JSON would take long to parse. */
export async function readRaw(request: Request, bytesMax: number): Promise<Buffer> {
  const body = await readBytes(request, bytesMax);
  if (jsonStart.test(body.toString("latin1"))) assertSimple(body);
  return body;
}

async function readBytes(request: Request, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of partsOf(request, bytesMax, `${bytesMax >> 10} KB`)) parts.push(part);
  return Buffer.concat(parts);
}

/** The body as it arrives. Throws a 400 that names the limit once it is exceeded. */
export async function* partsOf(
  request: Request,
  bytesMax: number,
  limit: string,
): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  let bytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length;
      // defence: stripe-event-size
      if (bytes > bytesMax) {
        throw new AppError("bad_request", `The request body is too large. The limit is ${limit}.`);
      }
      yield read.value;
    }
  } finally {
    // The rest of a refused body is not read.
    await reader.cancel().catch(() => undefined);
  }
}
