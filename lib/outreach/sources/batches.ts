/** The rows of a source in batches, from the position where it stopped. */
import { sourceRowsOf } from "./audience.ts";
import { readRows } from "./files.ts";
import { type GivenRecipient, recipientOf } from "./mapping.ts";
import type { SourceRow } from "./store.ts";

const batchRows = 2_500;
/** Rows may be a thousand times longer than usual, and memory holds several copies. */
const batchBytesMax = 4 * 1_048_576;

export interface Batch {
  rows: GivenRecipient[];
  lines: number[];
  position: number;
}

export function batchesOf(row: SourceRow): AsyncGenerator<Batch> {
  return row.audience === null ? batchesOfFile(row) : batchesOfAudience(row);
}

async function* batchesOfFile(row: SourceRow): AsyncGenerator<Batch> {
  let batch: Batch = { rows: [], lines: [], position: row.position };
  let start = row.position;
  let skipped = row.position === 0 && row.heading ? 1 : 0;
  for await (const read of readRows(row, row.position)) {
    for (const one of read.slice(skipped)) {
      batch.rows.push(recipientOf(row, one));
      batch.lines.push(one.line);
      batch.position = one.end;
      if (batch.rows.length < batchRows && one.end - start < batchBytesMax) continue;
      yield batch;
      start = one.end;
      batch = { rows: [], lines: [], position: one.end };
    }
    skipped = 0;
  }
  if (batch.rows.length > 0) yield batch;
}

async function* batchesOfAudience(row: SourceRow): AsyncGenerator<Batch> {
  let { position } = row;
  for (;;) {
    const found = await sourceRowsOf(row, position, batchRows);
    const last = found.at(-1);
    if (!last) return;
    position = last.line;
    yield {
      rows: found.map(({ row: one }) => one),
      lines: found.map(({ line }) => line),
      position,
    };
  }
}
