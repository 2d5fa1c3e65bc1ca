/** The refused rows of a source as a file: its columns, followed by ID, line and reason. It can be mended and uploaded again. */
import { csvLine, type SentFile, utf8Mark, withExportSlot } from "#lib/platform/downloads";
import type { StoredRow } from "#lib/platform/tables";
import { readFirst, readRows } from "./files.ts";
import { messageIdHeading } from "./mapping.ts";
import type { SourceRow } from "./store.ts";
import { findChunk, type RowRefusal } from "./worker-store.ts";

export function refusedFile(row: SourceRow): SentFile {
  return withExportSlot({
    name: "fuxi-refused-recipients.csv",
    type: "text/csv; charset=utf-8",
    send: (write) => send(row, write),
  });
}

async function send(row: SourceRow, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  const [first] = await readFirst(row, 1);
  const names = Array.from(
    { length: row.width },
    (_, at) => (row.heading && first?.cells[at]) || `Column ${at + 1}`,
  );
  // With its ID, a row replaces what was refused.
  const hasIds = typeof row.mapping?.messageId === "number";
  const own = [...(hasIds ? [] : [messageIdHeading]), "Line", "Reason"];
  await write(Buffer.from(utf8Mark + csvLine([...names, ...own])));
  for await (const found of refusedRows(row)) {
    const lines = found.map(([stored, [line, messageId, , message]]) =>
      lineOf(stored, row.width, [...(hasIds ? [] : [messageId]), String(line), message]),
    );
    await write(Buffer.from(lines.join("")));
  }
}

/** Both are in the order of the file. */
async function* refusedRows(row: SourceRow): AsyncGenerator<[StoredRow, RowRefusal][]> {
  const refusals = refusalsOf(row.pk);
  let next = (await refusals.next()).value;
  for await (const rows of readRows(row, 0)) {
    const found: [StoredRow, RowRefusal][] = [];
    for (const one of rows) {
      if (one.line !== next?.[0]) continue;
      found.push([one, next]);
      next = (await refusals.next()).value;
    }
    yield found;
    if (!next) return;
  }
}

function lineOf({ cells }: StoredRow, width: number, own: readonly string[]): string {
  return csvLine([...Array.from({ length: width }, (_, at) => cells[at] ?? ""), ...own]);
}

async function* refusalsOf(pk: number): AsyncGenerator<RowRefusal, undefined> {
  let after = -1;
  for (;;) {
    const chunk = await findChunk(pk, after);
    if (!chunk) return undefined;
    yield* chunk.refusals;
    after = chunk.firstRow;
  }
}
