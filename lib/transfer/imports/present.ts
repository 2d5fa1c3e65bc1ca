/** The public form of imports. */

import { dayMs, hourMs } from "#lib/basics/time/schema";
import { maskHead } from "./passwords.ts";
import { type Import, type ImportSummary, keptDays, undoHours, usualOptions } from "./schema.ts";
import type { ImportRow, SummaryRow } from "./store.ts";

const shownCellChars = 200;

export function presentSummary(row: SummaryRow, now = Date.now()): ImportSummary {
  const { id, name, state, bytes, done, made, refused, error, problem } = row;
  const rows = row.records - (row.options.heading ? 1 : 0);
  const rate = rateOf(row, now);
  const isOpen = state === "waiting" || state === "running";
  const over = (row.finished_at ?? row.created_at).getTime() + keptDays * dayMs;
  return {
    id,
    name,
    state,
    bytes,
    rows,
    done,
    made,
    refused,
    rowsPerSecond: rate,
    secondsLeft: state === "running" && rate ? Math.ceil((rows - done) / rate) : null,
    error,
    problem,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    expiresAt: isOpen ? null : new Date(over).toISOString(),
    undoUntil: undoUntilOf(row),
    undoneAt: row.undone_at?.toISOString() ?? null,
  };
}

function undoUntilOf({ finished_at, made, undone_at }: SummaryRow): string | null {
  if (!finished_at || made === 0 || undone_at) return null;
  return new Date(finished_at.getTime() + undoHours * hourMs).toISOString();
}

/** Rows per second since the start; null without any. */
function rateOf({ started_at, finished_at, done }: SummaryRow, now: number): number | null {
  if (!started_at || done === 0) return null;
  const seconds = ((finished_at?.getTime() ?? now) - started_at.getTime()) / 1_000;
  return seconds > 0 ? Math.round(done / seconds) : null;
}

export function presentImport(row: ImportRow): Import {
  const { width, mapping, options, encoding, delimiter, source } = row;
  // defence: sample-passwords-masked
  const shown = maskHead(row).map((cells) => cells.map((cell) => cell.slice(0, shownCellChars)));
  const rows = shown.slice(options.heading ? 1 : 0);
  return {
    ...presentSummary(row),
    encoding,
    delimiter,
    columns: Array.from({ length: width }, (_, at) => ({
      name: (options.heading && shown[0]?.[at]) || `Column ${at + 1}`,
      samples: rows.map((cells) => cells[at] ?? "").filter((cell) => cell !== ""),
    })),
    mapping,
    // Imports of an earlier version have fewer options.
    options: { ...usualOptions, ...options },
    source,
    firstRows: rows,
  };
}
