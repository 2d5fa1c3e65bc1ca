/** A QR code of half blocks: a character is two modules, one above the other. */
import { create } from "qrcode";

/** Modules of quiet zone, which the standard asks for (ISO/IEC 18004). */
const quiet = 4;
// The fixed black and white of the 256 colors, because the first 16 differ in each theme.
const blackOnWhite = "\u001b[38;5;16;48;5;231m";
const reset = "\u001b[0m";
/** The index has a bit for the upper module (2) and one for the lower module (1). */
const blocks = [" ", "▄", "▀", "█"];

/** Whether dark modules are drawn black on white, or left empty on a dark terminal. */
export type QrColors = "black-on-white" | "terminal";

export function drawQrLines(text: string, colors: QrColors): string[] {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const isDark = (row: number, column: number) =>
    row >= 0 &&
    column >= 0 &&
    row < modules.size &&
    column < modules.size &&
    modules.get(row, column) === 1;
  // Without colors, the light modules are drawn: most terminals are dark, and many readers need dark on light.
  const inked = colors === "black-on-white" ? isDark : (...at: [number, number]) => !isDark(...at);
  const lines: string[] = [];
  for (let row = -quiet; row < modules.size + quiet; row += 2) {
    let line = "";
    for (let column = -quiet; column < modules.size + quiet; column++) {
      // The number of rows is odd, so the last line has no lower half.
      const below = row + 1 < modules.size + quiet && inked(row + 1, column);
      line += blocks[2 * Number(inked(row, column)) + Number(below)] ?? "";
    }
    lines.push(colors === "black-on-white" ? `${blackOnWhite}${line}${reset}` : line);
  }
  return lines;
}
