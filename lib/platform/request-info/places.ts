/** The file (places-file.ts) stays on disk. A lookup reads one block, found by an index. */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { isIPv4 } from "node:net";
import { countries, type ICountry } from "countries-list";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import {
  addressBytes,
  blockBytes,
  type Family,
  headBytes,
  lengthBytes,
  magic,
  networksPerBlock,
  placeBytes,
  placesFile,
} from "./places-file.ts";

export interface Place {
  continent: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
}

interface Table {
  family: Family;
  index: Buffer;
  blocks: number;
  position: number;
}

interface PlacesFile {
  descriptor: number;
  v4: Table;
  v6: Table;
  textsPosition: number;
}

/** A megabyte. Visitors of a campaign come from a few networks. */
const blocksCachedMax = 256;
const placesCachedMax = 10_000;
/** Nearly all texts are shorter. Longer ones need a second read. */
const textBytesUsual = 96;

const dot = ".".charCodeAt(0);
const zero = "0".charCodeAt(0);

const noPlace: Place = { continent: null, country: null, region: null, city: null };
/** Reused, because a new buffer per block would keep the garbage collector busy. */
const spareBlocks: Buffer[] = [];
const blocks = new LRUCache<number, Buffer>({
  max: blocksCachedMax,
  dispose: (block) => spareBlocks.push(block),
});
const places = new LRUCache<number, Place>(atMost(placesCachedMax));
let file: PlacesFile | undefined;
let opening: Promise<PlacesFile> | undefined;

export async function openPlaces(): Promise<void> {
  opening ??= openFile();
  try {
    file = await opening;
  } catch (error) {
    opening = undefined;
    throw error;
  }
}

async function openFile(): Promise<PlacesFile> {
  const path = placesFile();
  if (!existsSync(path)) await (await import("./places-build.ts")).buildPlaces(path);
  const descriptor = openSync(path, "r");
  try {
    return readHead(descriptor, path);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function readHead(descriptor: number, path: string): PlacesFile {
  const head = read(descriptor, 0, headBytes);
  if (head.toString("latin1", 0, magic.length) !== magic) {
    throw new Error(`${path} is damaged. Delete it, and run npm run build.`);
  }
  const counts = { v4: head.readUInt32BE(magic.length), v6: head.readUInt32BE(magic.length + 4) };
  const indexBytes = { v4: counts.v4 * addressBytes.v4, v6: counts.v6 * addressBytes.v6 };
  const position = headBytes + indexBytes.v4 + indexBytes.v6;
  const v6Position = position + counts.v4 * blockBytes;
  return {
    descriptor,
    v4: {
      family: "v4",
      index: read(descriptor, headBytes, indexBytes.v4),
      blocks: counts.v4,
      position,
    },
    v6: {
      family: "v6",
      index: read(descriptor, headBytes + indexBytes.v4, indexBytes.v6),
      blocks: counts.v6,
      position: v6Position,
    },
    textsPosition: v6Position + counts.v6 * blockBytes,
  };
}

export function placeOf(address: string): Place {
  if (!file || address === "") return noPlace;
  const bare = address.replace(/^::ffff:/i, "");
  if (isIPv4(bare)) return placeAt(file, findPlace(file, file.v4, numberOf(bare), lastNumber));
  if (!ipaddr.IPv6.isValid(bare)) return noPlace;
  const bytes = Buffer.from(ipaddr.parse(bare).toByteArray());
  return placeAt(file, findPlace(file, file.v6, bytes, lastBytes));
}

function numberOf(address: string): number {
  let number = 0;
  let part = 0;
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    if (code === dot) {
      number = number * 256 + part;
      part = 0;
    } else {
      part = part * 10 + code - zero;
    }
  }
  return number * 256 + part;
}

type FindLast<Address> = (entries: Buffer, size: number, count: number, wanted: Address) => number;

function findPlace<Address>(
  { descriptor }: PlacesFile,
  { family, index, blocks: count, position }: Table,
  wanted: Address,
  findLast: FindLast<Address>,
): number {
  const bytes = addressBytes[family];
  const at = findLast(index, bytes, count, wanted);
  if (at < 0) return 0;
  const blockPosition = position + at * blockBytes;
  let block = blocks.get(blockPosition);
  if (!block) {
    block = fill(spareBlocks.pop() ?? Buffer.alloc(blockBytes), descriptor, blockPosition);
    blocks.set(blockPosition, block);
  }
  const size = bytes + placeBytes;
  const entry = findLast(block, size, networksPerBlock(family), wanted);
  return block.readUIntBE(entry * size + bytes, placeBytes);
}

function lastNumber(entries: Buffer, size: number, count: number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries.readUInt32BE(middle * size) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function lastBytes(entries: Buffer, size: number, count: number, wanted: Buffer): number {
  const bytes = addressBytes.v6;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * size;
    if (entries.compare(wanted, 0, bytes, at, at + bytes) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function placeAt({ descriptor, textsPosition }: PlacesFile, offset: number): Place {
  if (offset === 0) return noPlace;
  let place = places.get(offset);
  if (!place) {
    place = readPlace(descriptor, textsPosition + offset);
    places.set(offset, place);
  }
  return place;
}

function readPlace(descriptor: number, position: number): Place {
  const usual = read(descriptor, position, lengthBytes + textBytesUsual);
  const length = usual.readUInt16BE(0);
  const text =
    length <= textBytesUsual
      ? usual.subarray(lengthBytes, lengthBytes + length)
      : read(descriptor, position + lengthBytes, length);
  const [country = "", region = "", city = ""] = text.toString().split("\t");
  return {
    continent: continentOf(country),
    country,
    region: region || null,
    city: city || null,
  };
}

function read(descriptor: number, position: number, bytes: number): Buffer {
  return fill(Buffer.alloc(bytes), descriptor, position);
}

function fill(into: Buffer, descriptor: number, position: number): Buffer {
  let done = 0;
  while (done < into.length) {
    const more = readSync(descriptor, into, done, into.length - done, position + done);
    if (more === 0) break;
    done += more;
  }
  return done < into.length ? into.fill(0, done) : into;
}

const byCode: Record<string, ICountry | undefined> = countries;

function continentOf(country: string): string | null {
  return byCode[country]?.continent ?? null;
}

/** Applies the country that a proxy sent. Region and city stay if they are in that country. */
export function withCountry(place: Place, country: string): Place {
  const continent = continentOf(country);
  if (continent === null || place.country === country) return place;
  return { continent, country, region: null, city: null };
}
