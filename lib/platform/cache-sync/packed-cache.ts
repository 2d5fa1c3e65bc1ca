/**
 * A bounded cache of texts as bytes outside of V8's heap. A link takes about 170 bytes instead of
 * 570 as an object, and the garbage collector neither visits nor copies it. In return, texts are
 * decoded when they are found.
 *
 * It has two generations, like `GenerationCache`. A generation is a hash table over records:
 *
 *     slots    record + 1 │ 0 free │ -1 deleted     twice as many as records, for short searches
 *     records  hash │ chunk │ at │ bytes of the name │ of both │ kept at │ age │ epoch
 *     chunks   name text name text name text …      UTF-8, one after the other
 *
 * A deleted or replaced record keeps its place until the generation is dropped.
 */
import { randomBytes } from "node:crypto";

const chunkBytes = 256 * 1024;
/** UTF-8 bytes per UTF-16 unit. */
const unitBytesMax = 3;
const asciiMax = 0x7f;
/** Random, so that nobody can choose colliding keys, which slow down every search. */
const seed = randomBytes(4).readInt32LE();

export interface Stamp {
  epoch: number;
  keptAt: number;
  ageMaxMs: number;
}

export interface PackedText extends Stamp {
  text: string;
}

export class PackedCache {
  readonly #recordsMax: number;
  #young: Generation;
  #old: Generation | undefined;

  constructor(entriesMax: number) {
    this.#recordsMax = Math.max(1, Math.floor(entriesMax / 2));
    this.#young = new Generation(this.#recordsMax);
  }

  get(name: string): PackedText | undefined {
    const hash = hashOf(name, seed);
    const young = this.#young.find(name, hash);
    if (young >= 0) return this.#young.read(young);
    const old = this.#old?.find(name, hash) ?? -1;
    const found = old < 0 ? undefined : this.#old?.read(old);
    if (found) this.#put(name, hash, found.text, found);
    return found;
  }

  set(name: string, text: string, stamp: Stamp): void {
    this.#put(name, hashOf(name, seed), text, stamp);
  }

  delete(name: string): boolean {
    const hash = hashOf(name, seed);
    const wasYoung = this.#young.delete(name, hash);
    const wasOld = this.#old?.delete(name, hash) ?? false;
    return wasYoung || wasOld;
  }

  /** Entries that were found again count twice until their old place is dropped. */
  get size(): number {
    return this.#young.size + (this.#old?.size ?? 0);
  }

  #put(name: string, hash: number, text: string, stamp: Stamp): void {
    const known = this.#young.find(name, hash);
    if (known >= 0) {
      if (this.#young.textOf(known) === text) {
        this.#young.stamp(known, stamp);
        return;
      }
      this.#young.delete(name, hash);
    }
    if (this.#young.isFull) {
      this.#old = this.#young;
      this.#young = new Generation(this.#recordsMax);
    }
    this.#young.add(name, hash, text, stamp);
  }
}

class Generation {
  size = 0;
  readonly #recordsMax: number;
  readonly #mask: number;
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  readonly #chunkOf: Int32Array;
  readonly #at: Int32Array;
  readonly #nameBytes: Int32Array;
  readonly #bytes: Int32Array;
  readonly #keptAt: Float64Array;
  readonly #ages: Int32Array;
  readonly #epochs: Int32Array;
  readonly #chunks: Buffer[] = [];
  #records = 0;
  #free = 0;

  constructor(recordsMax: number) {
    let slots = 4;
    while (slots < recordsMax * 2) slots *= 2;
    this.#recordsMax = recordsMax;
    this.#mask = slots - 1;
    this.#slots = new Int32Array(slots);
    this.#hashes = new Int32Array(recordsMax);
    this.#chunkOf = new Int32Array(recordsMax);
    this.#at = new Int32Array(recordsMax);
    this.#nameBytes = new Int32Array(recordsMax);
    this.#bytes = new Int32Array(recordsMax);
    this.#keptAt = new Float64Array(recordsMax);
    this.#ages = new Int32Array(recordsMax);
    this.#epochs = new Int32Array(recordsMax);
  }

  get isFull(): boolean {
    return this.#records === this.#recordsMax;
  }

  find(name: string, hash: number): number {
    const slot = this.#slotOf(name, hash);
    return slot < 0 ? -1 : numberAt(this.#slots, slot) - 1;
  }

  /** The caller has checked that there is room and that the name has no record. */
  add(name: string, hash: number, text: string, stamp: Stamp): void {
    const chunk = this.#roomFor((name.length + text.length) * unitBytesMax);
    const record = this.#records;
    const nameBytes = chunk.write(name, this.#free);
    const bytes = nameBytes + chunk.write(text, this.#free + nameBytes);
    this.#records += 1;
    this.size += 1;
    this.#hashes[record] = hash;
    this.#chunkOf[record] = this.#chunks.length - 1;
    this.#at[record] = this.#free;
    this.#nameBytes[record] = nameBytes;
    this.#bytes[record] = bytes;
    this.#free += bytes;
    this.stamp(record, stamp);
    let slot = hash & this.#mask;
    while (numberAt(this.#slots, slot) > 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = record + 1;
  }

  stamp(record: number, { epoch, keptAt, ageMaxMs }: Stamp): void {
    this.#keptAt[record] = keptAt;
    this.#ages[record] = ageMaxMs;
    this.#epochs[record] = epoch;
  }

  read(record: number): PackedText {
    return {
      text: this.textOf(record),
      epoch: numberAt(this.#epochs, record),
      keptAt: numberAt(this.#keptAt, record),
      ageMaxMs: numberAt(this.#ages, record),
    };
  }

  textOf(record: number): string {
    const start = numberAt(this.#at, record);
    const [from, to] = [numberAt(this.#nameBytes, record), numberAt(this.#bytes, record)];
    return this.#chunkAt(record).toString("utf8", start + from, start + to);
  }

  delete(name: string, hash: number): boolean {
    const slot = this.#slotOf(name, hash);
    if (slot < 0) return false;
    this.#slots[slot] = deleted;
    this.size -= 1;
    return true;
  }

  #slotOf(name: string, hash: number): number {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const content = numberAt(this.#slots, slot);
      if (content === 0) return -1;
      if (content === deleted || numberAt(this.#hashes, content - 1) !== hash) continue;
      if (this.#hasName(content - 1, name)) return slot;
    }
  }

  /** Compares bytes, because decoding the name would take longer than finding the record. */
  #hasName(record: number, name: string): boolean {
    const chunk = this.#chunkAt(record);
    const start = numberAt(this.#at, record);
    const bytes = numberAt(this.#nameBytes, record);
    if (bytes !== name.length) return name === chunk.toString("utf8", start, start + bytes);
    for (let at = 0; at < bytes; at++) {
      const unit = name.charCodeAt(at);
      if (unit > asciiMax || chunk[start + at] !== unit) return false;
    }
    return true;
  }

  #chunkAt(record: number): Buffer {
    const chunk = this.#chunks[numberAt(this.#chunkOf, record)];
    if (!chunk) throw new Error("A record has no chunk");
    return chunk;
  }

  #roomFor(bytes: number): Buffer {
    const last = this.#chunks.at(-1);
    if (last && this.#free + bytes <= last.length) return last;
    const chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes));
    this.#chunks.push(chunk);
    this.#free = 0;
    return chunk;
  }
}

const deleted = -1;

function numberAt(numbers: Int32Array | Float64Array, at: number): number {
  return numbers[at] ?? 0;
}

export function hashOf(name: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  // Only the lower bits choose a slot.
  return hash ^ (hash >>> 15);
}
