/** Rows by COPY, in its text format: half the work of an INSERT for PostgreSQL, and no parameter a value for us. */
import { finished } from "node:stream/promises";
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

/** Writes lines whose fields are divided by tabs. `into` is a table with its columns, in their order. */
export async function copyRows(tx: Connection, into: string, lines: string): Promise<void> {
  const stream = tx.query(copyFrom(`COPY ${into} FROM STDIN`));
  stream.end(lines);
  await finished(stream);
}
