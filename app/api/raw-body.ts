/** Bodies that are verified as they arrived, before they are parsed. */
import { AppError } from "#lib/platform/errors";
import { assertSimple } from "./hostile-text.ts";

const jsonStart = /^\s*[[{]/;

/** Throws a 400 for more bytes, of which the rest is not read, and for JSON that would take long to parse. */
export async function readRaw(request: Request, bytesMax: number): Promise<Buffer> {
  const body = await readBytes(request, bytesMax);
  if (jsonStart.test(body.toString("latin1"))) assertSimple(body);
  return body;
}

async function readBytes(request: Request, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length;
      // defence: stripe-event-size
      if (bytes > bytesMax) {
        throw new AppError(
          "bad_request",
          `The request body is too large. The limit is ${bytesMax >> 10} KB.`,
        );
      }
      parts.push(read.value);
    }
  } finally {
    // The rest of a refused body is not read.
    await reader.cancel().catch(() => undefined);
  }
  return Buffer.concat(parts);
}
