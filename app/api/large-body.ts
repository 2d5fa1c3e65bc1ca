/**
 * Reads a body that is one long JSON array without blocking the process.
 *
 * `JSON.parse` of 10 MB blocks the event loop for 60 ms. Here the bytes are split at the commas of the outermost array as they
 * arrive, and each element is parsed alone. Other work runs after each `sliceMs`. Valid elements between brackets and commas make
 * a valid array, so the result is what `JSON.parse` would return, or an error.
 */
import { isUtf8 } from "node:buffer";
import { AppError } from "#lib/platform/errors";
import { notJson } from "./errors.ts";
import { assertCleanTexts, depthMax, PartCounter, tooDeep } from "./hostile-text.ts";
import { partsOf } from "./raw-body.ts";

/** An element is parsed in one go, so it has the limit of a whole body on other routes. */
const itemBytesMax = 1024 * 1024;
const scanBytes = 64 * 1024;
const sliceMs = 4;
const jsonType = /^application\/json\s*(;|$)/i;

export interface ArrayLimits {
  itemsMax: number;
  bytesMax: number;
}

/**
 * The elements of the body. Throws a 400 for a body that is not a JSON array or too long, a 422 for too many elements.
 */
export async function readJsonArray(request: Request, limits: ArrayLimits): Promise<unknown[]> {
  const turn = new TimeSlice();
  const scanner = new ArrayScanner();
  const items: unknown[] = [];
  for await (const piece of piecesOf(request, limits.bytesMax)) {
    for (const bytes of scanner.scan(piece)) {
      if (items.length === limits.itemsMax) throw tooMany(limits.itemsMax);
      items.push(parseItem(bytes, items.length));
      if (turn.over) await turn.pass();
    }
    if (turn.over) await turn.pass();
  }
  scanner.end();
  return items;
}

/** Computes something for each item, and lets other work run in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  compute: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const turn = new TimeSlice();
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    results.push(compute(item, at));
    if (turn.over) await turn.pass();
  }
  return results;
}

class TimeSlice {
  #endsAt = performance.now() + sliceMs;

  get over(): boolean {
    return performance.now() >= this.#endsAt;
  }

  async pass(): Promise<void> {
    await new Promise(setImmediate);
    this.#endsAt = performance.now() + sliceMs;
  }
}

/** The body as it arrives, in parts that are scanned in less than a slice. */
async function* piecesOf(request: Request, bytesMax: number): AsyncGenerator<Uint8Array> {
  if (!jsonType.test(request.headers.get("content-type") ?? "")) throw notJson();
  for await (const part of partsOf(request, bytesMax, `${bytesMax >> 20} MB`)) {
    for (let at = 0; at < part.length; at += scanBytes) yield part.subarray(at, at + scanBytes);
  }
}

function tooMany(itemsMax: number): AppError {
  return new AppError(
    "unprocessable_entity",
    `A request can have up to ${itemsMax.toLocaleString("en")} items. Send the rest in another request.`,
  );
}

function notAnArray(): AppError {
  return new AppError("bad_request", "The request body isn’t a valid JSON array.");
}

function parseItem(bytes: Buffer, at: number): unknown {
  if (!isUtf8(bytes)) throw new AppError("bad_request", `Item ${at} isn’t valid UTF-8.`);
  const text = bytes.toString("utf8");
  const item = parseJson(text, at);
  assertCleanTexts(text, item, String(at));
  return item;
}

function parseJson(text: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("bad_request", `Item ${at} isn’t valid JSON.`);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = [0xef, 0xbb, 0xbf];
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Splits the outermost array at its commas. It tracks only strings and depth; mismatched brackets inside an element are
 * detected by `JSON.parse` of that element.
 *
 *     before ──[──► first ──any──► item ──,──► item …        first, item ──]──► after
 */
class ArrayScanner {
  #state: "before" | "first" | "item" | "after" = "before";
  #marks = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  #parts = new PartCounter();

  *scan(chunk: Uint8Array): Generator<Buffer> {
    let at = this.#state === "item" ? 0 : this.#skipToItem(chunk, 0);
    let from = at;
    while (at < chunk.length) {
      at = this.#findEnd(chunk, at);
      if (at === chunk.length) break;
      yield this.#take(chunk.subarray(from, at));
      at += 1;
      if (chunk[at - 1] === closeBracket) {
        this.#state = "after";
        at = this.#skipToItem(chunk, at);
      }
      from = at;
    }
    if (this.#state === "item") this.#keep(chunk.subarray(from));
  }

  end(): void {
    if (this.#state !== "after") throw notAnArray();
  }

  /** Skips what surrounds the elements. Returns where the next element starts, or the end of the chunk. */
  #skipToItem(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#state === "before" && byte === byteOrderMark[this.#marks]) this.#marks += 1;
      else if (!blanks.has(byte) && !this.#enter(byte)) return at;
    }
    return chunk.length;
  }

  /** Handles a byte between elements. Returns false if the byte starts an element. */
  #enter(byte: number): boolean {
    if (this.#state === "before" && byte === openBracket && this.#marks % 3 === 0) {
      this.#state = "first";
      return true;
    }
    if (this.#state !== "first") throw notAnArray();
    this.#state = byte === closeBracket ? "after" : "item";
    return byte === closeBracket;
  }

  /** Finds the end of the current element: a comma or bracket of the outermost array. */
  #findEnd(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) this.#insideString(byte);
      else if (this.#isEnd(byte)) return at;
    }
    return chunk.length;
  }

  #insideString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #isEnd(byte: number): boolean {
    this.#parts.add(byte);
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if (this.#depth === 0) return byte === comma || byte === closeBracket;
    else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
    // The outermost array is the first level.
    if (this.#depth >= depthMax) throw tooDeep();
    return false;
  }

  #keep(piece: Uint8Array): void {
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes > itemBytesMax) {
      throw new AppError(
        "bad_request",
        `An item is too large. The limit is ${itemBytesMax >> 20} MB.`,
      );
    }
    this.#pieces.push(piece);
  }

  #take(last: Uint8Array): Buffer {
    this.#keep(last);
    // Usually an element is in one chunk and need not be copied.
    const whole =
      this.#pieces.length === 1
        ? Buffer.from(last.buffer, last.byteOffset, last.byteLength)
        : Buffer.concat(this.#pieces, this.#pieceBytes);
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#parts = new PartCounter();
    return whole;
  }
}
