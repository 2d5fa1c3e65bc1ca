import { withTimeout } from "#lib/basics/bounds";
import type { SentFile } from "#lib/platform/downloads";
import { log } from "#lib/platform/log";
import type { ApiContext } from "./router.ts";

/** A client that reads nothing for this long is disconnected, because the file holds a database connection. */
const stalledMs = 30_000;

/** Responds with a file. One that cannot be finished is aborted, so that it is never mistaken for complete. */
export function sendFile(c: ApiContext, file: SentFile): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void sendTo(writable.getWriter(), file);
  return c.body(readable, 200, {
    "Content-Type": file.type,
    "Content-Disposition": `attachment; filename="${file.name}"`,
  });
}

async function sendTo(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  file: SentFile,
): Promise<void> {
  try {
    await file.send((bytes) => beforeStalled(() => writer.write(bytes)));
    await beforeStalled(() => writer.close());
  } catch (error) {
    log.warn({ event: "export.broken", name: file.name, error: String(error) });
    await writer.abort(error).catch(() => undefined); // the client disconnected before
  }
}

function beforeStalled(take: () => Promise<void>): Promise<void> {
  return withTimeout(stalledMs, take, () => new Error("The client stopped reading"));
}
