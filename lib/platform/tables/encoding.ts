import { AppError } from "#lib/platform/errors";
import { fillMessage, type TableProblem, tableError, tableMessages } from "./problems.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030" | "windows-1252";

export const startBytes = 256;

const signatures: readonly [bytes: readonly number[], problem: TableProblem, kind?: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], "is_old_workbook"],
  [[0x25, 0x50, 0x44, 0x46], "is_pdf"],
  [[0x89, 0x50, 0x4e, 0x47], "is_picture"],
  [[0xff, 0xd8, 0xff], "is_picture"],
  [[0x47, 0x49, 0x46, 0x38], "is_picture"],
  [[0x52, 0x49, 0x46, 0x46], "is_recording"],
  [[0x1f, 0x8b], "is_compressed", "gzip"],
  [[0x37, 0x7a, 0xbc, 0xaf], "is_compressed", "7z"],
  [[0x52, 0x61, 0x72, 0x21], "is_compressed", "RAR"],
];

/** Throws for binary files, and for HTML pages that some programs save as xls. */
export function assertText(start: Uint8Array): void {
  const found = signatures.find(([bytes]) => bytes.every((byte, at) => start[at] === byte));
  if (found) {
    const [, problem, kind] = found;
    throw tableError(problem, kind ? { kind } : {});
  }
  const words = Buffer.from(start.subarray(0, startBytes))
    .toString("latin1")
    .trimStart()
    .toLowerCase();
  if (/^(ï»¿)?<(\?xml|!doctype|html|table)/.test(words)) {
    throw tableError("is_page");
  }
}

export function holdsNul(): AppError {
  return tableError("is_no_text");
}

export function markedEncoding(start: Uint8Array): Encoding | undefined {
  const [first, second, third] = start;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  return undefined;
}

/**
 * GB18030 if valid and plausible, otherwise windows-1252. Many German and French files are valid
 * GB18030, but in Chinese ones both bytes of a character are nearly always high.
 */
export async function findOldEncoding(chunks: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const decoder = new TextDecoder("gb18030", { fatal: true });
  const pairs = new PairCounter();
  try {
    for await (const bytes of chunks) {
      decoder.decode(bytes, { stream: true });
      pairs.add(bytes);
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) return "windows-1252";
    throw error;
  }
  return pairs.high >= pairs.low ? "gb18030" : "windows-1252";
}

/** Counts two-byte characters by whether the second byte is high. */
class PairCounter {
  high = 0;
  low = 0;
  #openPair = false;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (!this.#openPair) {
        this.#openPair = byte > 0x80;
        continue;
      }
      if (byte >= 0xa1) this.high += 1;
      else if (byte >= 0x40) this.low += 1;
      this.#openPair = false;
    }
  }
}

export function decoderOf(encoding: Encoding): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) throw new WrongEncoding(encoding);
      throw error;
    }
  };
}

export class WrongEncoding extends AppError {
  constructor(encoding: Encoding) {
    const params = { encoding: encoding.toUpperCase() };
    const message = fillMessage(tableMessages.encoding_wrong, params);
    super("unprocessable_entity", message, { problem: "encoding_wrong", params });
  }
}
