/**
 * The modules of a QR code: its dark squares.
 *
 * The text is one segment of bytes, so that its maximum length is known. Of the eight masks, the best is chosen by
 * trying all; above `masksTriedBytesMax` that would take up to 6 ms of the event loop (measured on 2 cores), and with
 * so many modules any mask is good enough, so a fixed one is used.
 */
import { create } from "qrcode";
import type { QrLevel } from "#lib/links/qr-design/schema";

/** Bytes in the largest code of each level (ISO/IEC 18004, version 40, byte mode). */
export const bytesMax: Record<QrLevel, number> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 };
const masksTriedBytesMax = 300;
const usualMask = 3 as const;

export interface Matrix {
  /** Modules per side. */
  size: number;
  /** Row by row, 1 where a module is dark. */
  modules: Uint8Array;
}

export function makeMatrix(bytes: Uint8Array, level: QrLevel): Matrix {
  const mask = bytes.length > masksTriedBytesMax ? { maskPattern: usualMask } : {};
  const segments = [{ data: bytes, mode: "byte" as const }];
  const { modules } = create(segments, { errorCorrectionLevel: level, ...mask });
  return { size: modules.size, modules: modules.data };
}

/** The runs of dark modules of a row. */
export function barsOf(
  { size, modules }: Matrix,
  row: number,
): { column: number; length: number }[] {
  const bars: { column: number; length: number }[] = [];
  const end = (row + 1) * size;
  for (let at = row * size; at < end; at++) {
    if (modules[at] !== 1) continue;
    const from = at;
    while (at < end && modules[at] === 1) at += 1;
    bars.push({ column: from - row * size, length: at - from });
  }
  return bars;
}
