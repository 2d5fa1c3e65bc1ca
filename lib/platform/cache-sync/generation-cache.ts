/**
 * Evicts the least recently used entries without a linked list: the young generation becomes the
 * old one when full, and the former old one is dropped.
 *
 * Uses many small Maps, because a Map of half a million entries blocks the process for 30 ms when
 * it grows.
 */
const generationMax = 8_192;

interface Bucket<T> {
  young: Map<string, T>;
  old: Map<string, T>;
}

export class GenerationCache<T> {
  readonly #shelves: Bucket<T>[];
  readonly #mask: number;
  readonly #generation: number;

  constructor(entriesMax: number) {
    let shelves = 1;
    while (entriesMax / 2 / shelves > generationMax) shelves *= 2;
    this.#mask = shelves - 1;
    this.#generation = Math.max(1, Math.floor(entriesMax / 2 / shelves));
    this.#shelves = Array.from({ length: shelves }, () => ({ young: new Map(), old: new Map() }));
  }

  get(name: string): T | undefined {
    const bucket = this.#shelfOf(name);
    const young = bucket.young.get(name);
    if (young !== undefined) return young;
    const old = bucket.old.get(name);
    if (old !== undefined) this.#put(bucket, name, old);
    return old;
  }

  set(name: string, entry: T): void {
    this.#put(this.#shelfOf(name), name, entry);
  }

  delete(name: string): boolean {
    const { young, old } = this.#shelfOf(name);
    const wasYoung = young.delete(name);
    return old.delete(name) || wasYoung;
  }

  /** Entries that were found again count twice until their old place is dropped. */
  get size(): number {
    return this.#shelves.reduce((sum, { young, old }) => sum + young.size + old.size, 0);
  }

  #put(bucket: Bucket<T>, name: string, entry: T): void {
    if (bucket.young.size >= this.#generation && !bucket.young.has(name)) {
      bucket.old = bucket.young;
      bucket.young = new Map();
    }
    bucket.young.set(name, entry);
  }

  /** The last characters of names differ most. */
  #shelfOf(name: string): Bucket<T> {
    const end = name.length;
    const hash =
      (name.charCodeAt(end - 1) * 33 + name.charCodeAt(end - 2)) * 33 + name.charCodeAt(end - 3);
    const bucket = this.#shelves[hash & this.#mask];
    if (!bucket) throw new Error("No shelf for this mask");
    return bucket;
  }
}
