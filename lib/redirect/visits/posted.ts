/** Reads the body of a posted form. */
import type { IncomingMessage } from "node:http";

/** Room for eight fields of 254 characters, each of them twelve bytes of a form. */
const formBytesMax = 32_768;

/** The body as text; undefined when it is longer than any valid form. */
export async function readForm(
  req: IncomingMessage,
  bytesMax = formBytesMax,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The unread rest of a form must not end the connection before its response.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
