/**
 * The modules of a QR code: its dark squares.
 *
 * The text is one segment of bytes, so that its maximum length is known. Of the eight masks, the best is chosen by
 * trying all; above `masksTriedBytesMax` that would take up to 6 ms of the event loop (measured on 2 cores), and with
 * so many modules any mask is good enough, so a fixed one is used.
 */
import { create } from "qrcode";
import type { Matrix, QrLevel } from "#lib/links/qr-design/schema";

/** Bytes in the largest code of each level (ISO/IEC 18004, version 40, byte mode). */
export const bytesMax: Record<QrLevel, number> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 };
const masksTriedBytesMax = 300;
const usualMask = 3 as const;

export function makeMatrix(bytes: Uint8Array, level: QrLevel): Matrix {
  const mask = bytes.length > masksTriedBytesMax ? { maskPattern: usualMask } : {};
  const segments = [{ data: bytes, mode: "byte" as const }];
  const { modules } = create(segments, { errorCorrectionLevel: level, ...mask });
  return { size: modules.size, modules: modules.data };
}
