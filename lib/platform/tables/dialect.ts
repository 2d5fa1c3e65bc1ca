/** Detects how a file separates cells and rows, from its start. */
import Papa from "papaparse";
import { delimiters } from "./schema.ts";

export interface Dialect {
  delimiter: string;
  newline: "\n" | "\r";
  /** Characters before the first row: some programs write a line with the delimiter. */
  skipped: number;
}

const sampleRowsMax = 100;

/** `whole`: the sample is the complete file. */
export function findDialect(
  sample: string,
  whole: boolean,
  requested: string | undefined,
): Dialect {
  const newline = newlineOf(sample);
  const named = /^sep=([,;|\t])\r?[\n\r]/i.exec(sample);
  const skipped = named?.[0].length ?? 0;
  const rest = sample.slice(skipped);
  const delimiter = requested ?? named?.[1] ?? guessDelimiter(rest, newline, whole);
  return { delimiter, newline, skipped };
}

/** Rows end with LF, which includes CRLF, or with CR where there is no LF outside of quotes. */
function newlineOf(sample: string): "\n" | "\r" {
  let inQuotes = false;
  let returns = false;
  for (const letter of sample) {
    if (letter === '"') inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (letter === "\n") return "\n";
    else if (letter === "\r") returns = true;
  }
  return returns ? "\r" : "\n";
}

/** The delimiter that splits most rows into as many cells as the first, and into the most of them. */
function guessDelimiter(sample: string, newline: "\n" | "\r", whole: boolean): string {
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of delimiters) {
    const rows = openParser(delimiter, newline, sampleRowsMax).parse(sample, 0, !whole).data;
    const filled = rows.filter((row) => row.length > 1 || row[0]?.trim());
    const [first] = filled;
    if (!first || first.length < 2) continue;
    const alike = filled.filter((row) => row.length === first.length).length / filled.length;
    // Consistency counts before the number of cells: one comma in each title makes no columns.
    const score = alike * 1_000 + Math.min(first.length, 900);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

interface ParseResult {
  data: string[][];
  errors: { type: string; code: string; row?: number }[];
  /** How far the text was read: up to the start of a possibly incomplete row. */
  meta: { cursor: number };
}

interface Parser {
  /** `ignoreLastRow`: an unterminated row is left for the next call. */
  parse(text: string, baseIndex: number, ignoreLastRow: boolean): ParseResult;
}

/** Papa Parse's low-level parser: it reports its position, and so can be fed in parts. */
export function openParser(delimiter: string, newline: "\n" | "\r", preview = 0): Parser {
  return new Papa.Parser({ delimiter, newline, quoteChar: '"', preview });
}
