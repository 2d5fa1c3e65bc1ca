/**
 * A matrix as a PNG of two colors: one bit per pixel and a palette. Each row of modules is written
 * once; the identical pixel rows below it use the filter "up" and zeros. Deflating runs in Node's
 * own threads.
 */
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { channelsOf } from "#lib/basics/formats/schema";
import { barsOf, type Matrix } from "#lib/links/qr-design/schema";

const deflateAsync = promisify(deflate);
const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const filterUp = 2;
const paletteColors = 3;

export interface PngLayout {
  pixels: number;
  scale: number;
  /** Pixels before the first module: the margin, and half of the rest after scaling. */
  offset: number;
}

export async function encodePng(
  matrix: Matrix,
  layout: PngLayout,
  colors: { background: string; foreground: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(layout.pixels, 0);
  header.writeUInt32BE(layout.pixels, 4);
  header.set([1, paletteColors, 0, 0, 0], 8);
  const palette = [...channelsOf(colors.background), ...channelsOf(colors.foreground)];
  const rows = await deflateAsync(drawRows(matrix, layout));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette)),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function drawRows(matrix: Matrix, { pixels, scale, offset }: PngLayout): Buffer {
  const rowBytes = 1 + Math.ceil(pixels / 8);
  const rows = Buffer.alloc(pixels * rowBytes);
  for (let y = 0; y < pixels; y++) rows[y * rowBytes] = filterUp;
  for (let row = 0; row < matrix.size; row++) {
    const start = (offset + row * scale) * rowBytes;
    rows[start] = 0;
    for (const { column, length } of barsOf(matrix, row)) {
      setBits(rows, 8 * (start + 1) + offset + column * scale, length * scale);
    }
  }
  const end = offset + matrix.size * scale;
  if (end < pixels) rows[end * rowBytes] = 0;
  return rows;
}

/** The most significant bit of a byte comes first. Whole bytes are set at once. */
function setBits(bytes: Buffer, from: number, count: number): void {
  const end = from + count;
  let bit = from;
  for (; bit < end && (bit & 7) !== 0; bit++) setBit(bytes, bit);
  const whole = (end - bit) >> 3;
  if (whole > 0) bytes.fill(0xff, bit >> 3, (bit >> 3) + whole);
  for (bit += 8 * whole; bit < end; bit++) setBit(bytes, bit);
}

function setBit(bytes: Buffer, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
