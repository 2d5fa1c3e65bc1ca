/**
 * Public ids: a prefix for the kind, and 128 bits as 26 digits of Crockford's base32.
 *
 *     link_01K3Z…      48 bits milliseconds since 1970 │ 80 random bits
 *
 * Ids sort by creation, as text and as UUID. Within a millisecond a process adds a random step to
 * its last id, so that ids are in order but do not reveal how many are between them.
 */
import { randomFillSync } from "node:crypto";

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const digitValue = new Map([...digits].map((digit, value) => [digit, value]));
const timeBytes = 6;
const tailBytes = 10;
/** Steps are below 2^40 and the first tail below 2^79: no overflow in a millisecond. */
const stepBytes = 5;

export function uuidSource(
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): () => string {
  let time = 0;
  const tail = Buffer.alloc(tailBytes);
  const restart = () => {
    tail.set(random(tailBytes));
    tail.writeUInt8(tail.readUInt8(0) & 0x7f, 0);
  };
  const step = () => {
    const added = random(stepBytes);
    let carry = 1;
    for (let at = tailBytes - 1; at >= 0; at--) {
      const sum = tail.readUInt8(at) + (added[at - (tailBytes - stepBytes)] ?? 0) + carry;
      tail.writeUInt8(sum & 0xff, at);
      carry = sum >> 8;
    }
  };
  return () => {
    const now = clock();
    // New ids must sort last even after the clock was set back.
    if (now > time) {
      time = now;
      restart();
    } else step();
    const head = time.toString(16).padStart(2 * timeBytes, "0");
    const end = tail.toString("hex");
    return `${head.slice(0, 8)}-${head.slice(8)}-${end.slice(0, 4)}-${end.slice(4, 8)}-${end.slice(8)}`;
  };
}

/** Drawn many at once, because a call per id took longer than everything else. */
const randomPool = new Uint8Array(4_096);
let used = randomPool.length;

function takeRandom(bytes: number): Uint8Array {
  if (used + bytes > randomPool.length) {
    randomFillSync(randomPool);
    used = 0;
  }
  used += bytes;
  return randomPool.subarray(used - bytes, used);
}

/** Sorts after every earlier UUID of this process. */
export const newUuid = uuidSource(Date.now, takeRandom);

export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

export function newId(prefix: string): string {
  return presentId(prefix, newUuid());
}

/** The smallest uuid of this moment. Ids begin in 1970; earlier moments have the smallest of all. */
export function firstUuidAt(ms: number): string {
  return dashed(
    Math.max(0, ms)
      .toString(16)
      .padStart(2 * timeBytes, "0")
      .padEnd(32, "0"),
  );
}

/** The uuid that sorts directly before this one. */
export function uuidBefore(uuid: string): string {
  const value = BigInt(`0x${uuid.replaceAll("-", "")}`);
  return dashed((value > 0n ? value - 1n : 0n).toString(16).padStart(32, "0"));
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export function presentId(prefix: string, uuid: string): string {
  const hex = uuid.replaceAll("-", "");
  let text = digitPairs[Number.parseInt(hex.slice(0, 2), 16)] ?? "";
  for (let at = 2; at < 32; at += 10) text += eightDigits(hex.slice(at, at + 10));
  return `${prefix}_${text}`;
}

export function parseId(prefix: string, text: string): string | undefined {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return undefined;
  const body = text.slice(-26);
  let hex = "";
  for (const [from, to] of [
    [0, 2],
    [2, 10],
    [10, 18],
    [18, 26],
  ] as const) {
    const value = fromBase32(body.slice(from, to));
    if (value === undefined || (from === 0 && value > 0xff)) return undefined;
    hex += value.toString(16).padStart(from === 0 ? 2 : 10, "0");
  }
  return dashed(hex);
}

const digitPairs = Array.from({ length: 1_024 }, (_, value) =>
  [value >> 5, value & 31].map((digit) => digits.charAt(digit)).join(""),
);

function eightDigits(hex: string): string {
  const value = Number.parseInt(hex, 16);
  const high = Math.floor(value / 2 ** 20);
  const low = value % 2 ** 20;
  return fourDigits(high) + fourDigits(low);
}

function fourDigits(value: number): string {
  return `${digitPairs[value >> 10]}${digitPairs[value & 1_023]}`;
}

function fromBase32(text: string): number | undefined {
  let number = 0;
  for (const digit of text) {
    const value = digitValue.get(digit);
    if (value === undefined) return undefined;
    number = number * 32 + value;
  }
  return number;
}
