/** Rows by COPY, in its text format: half the work of an INSERT for PostgreSQL, and no parameter a value for us. */
import { finished } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Connection } from "./index.ts";

const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text as a field of COPY. It must hold no NUL, which PostgreSQL has in no text. */
export function copyField(text: string | null): string {
  if (text === null) return "\\N";
  return /[\\\n\r\t]/.test(text)
    ? text.replace(/[\\\n\r\t]/g, (letter) => escapes[letter] ?? letter)
    : text;
}

/**
 * Writes lines whose fields are divided by tabs, part by part: whoever else needs this process has a turn between two.
 * `into` is a table with its columns, in their order.
 *
 * Nothing is written while something waits to be, and nothing after a refusal: the stream then has no connection any more
 * and would miss it once the rest has drained, in a turn of the event loop where nobody could catch that.
 */
export async function copyRows(
  tx: Connection,
  into: string,
  parts: Iterable<string>,
): Promise<void> {
  const stream = tx.query(copyFrom(`COPY ${into} FROM STDIN`));
  let refused = false;
  stream.once("error", () => {
    refused = true;
  });
  const done = finished(stream);
  // A refusal is thrown by whoever waits first, and must not count as unhandled meanwhile.
  done.catch(() => undefined);
  for (const part of parts) {
    await Promise.race([new Promise((resolve) => stream.write(part, resolve)), done]);
    await setImmediate();
    if (refused) break;
  }
  if (!refused) stream.end();
  await done;
}
