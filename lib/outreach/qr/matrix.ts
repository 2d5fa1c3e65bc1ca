/**
 * The modules of a QR code. The text is one segment of bytes, so that its maximum length is known.
 * The encoder tries all eight masks and takes the best. Above `masksTriedBytesMax` bytes this would
 * block the event loop for up to 6 ms (measured on 2 cores), and any mask is good enough for so
 * many modules, so a fixed one is used.
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
