/**
 * A bounded cache that evicts the least recently used entries, without a linked list and without long pauses.
 *
 * Two generations: entries that are set or found go into the young one; when it is full it becomes the old one, and the
 * former old one is dropped as a whole. A Map whose first entry is deleted again and again scans the holes before it,
 * and one of half a million entries blocks the process for 30 ms when it grows; so names are spread over many small
 * ones.
 */
const generationMax = 8_192;

interface Shelf<T> {
  young: Map<string, T>;
  old: Map<string, T>;
}

export class Memory<T> {
  readonly #shelves: Shelf<T>[];
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
    const shelf = this.#shelfOf(name);
    const young = shelf.young.get(name);
    if (young !== undefined) return young;
    const old = shelf.old.get(name);
    if (old !== undefined) this.#put(shelf, name, old);
    return old;
  }

  set(name: string, entry: T): void {
    this.#put(this.#shelfOf(name), name, entry);
  }

  /** Whether the entry existed. */
  delete(name: string): boolean {
    const { young, old } = this.#shelfOf(name);
    const wasYoung = young.delete(name);
    return old.delete(name) || wasYoung;
  }

  /** The entries in memory; an entry that was found again counts twice until its old place is dropped. */
  get size(): number {
    return this.#shelves.reduce((sum, { young, old }) => sum + young.size + old.size, 0);
  }

  #put(shelf: Shelf<T>, name: string, entry: T): void {
    if (shelf.young.size >= this.#generation && !shelf.young.has(name)) {
      shelf.old = shelf.young;
      shelf.young = new Map();
    }
    shelf.young.set(name, entry);
  }

  /** The ends of names are the most distinctive. */
  #shelfOf(name: string): Shelf<T> {
    const end = name.length;
    const hash =
      (name.charCodeAt(end - 1) * 33 + name.charCodeAt(end - 2)) * 33 + name.charCodeAt(end - 3);
    const shelf = this.#shelves[hash & this.#mask];
    if (!shelf) throw new Error("No shelf for this mask");
    return shelf;
  }
}
