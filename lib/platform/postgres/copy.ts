/** Inserts rows by COPY, in its text format: half the work of an INSERT for PostgreSQL, and no parameter per value. */
import { finished } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Connection } from "./index.ts";

const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text as a field of COPY. It must not contain NUL, which PostgreSQL does not store. */
export function copyField(text: string | null): string {
  if (text === null) return "\\N";
  return /[\\\n\r\t]/.test(text)
    ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character)
    : text;
}

/**
 * Writes tab-separated lines, part by part: other work of this process runs in between. `into` is a table with its
 * columns, in order.
 *
 * Nothing is written while the stream is full, and nothing after an error: the stream then has no connection and would
 * fail once the rest has drained, in a turn of the event loop where nothing could catch that.
 */
export async function copyRows(
  tx: Connection,
  into: string,
  parts: Iterable<string>,
): Promise<void> {
  const stream = tx.client.query(copyFrom(`COPY ${into} FROM STDIN`));
  let refused = false;
  stream.once("error", () => {
    refused = true;
  });
  const done = finished(stream);
  // An error is thrown by the first await, and must not count as unhandled meanwhile.
  done.catch(() => undefined);
  for (const part of parts) {
    await Promise.race([new Promise((resolve) => stream.write(part, resolve)), done]);
    await setImmediate();
    if (refused) break;
  }
  if (!refused) stream.end();
  await done;
}
