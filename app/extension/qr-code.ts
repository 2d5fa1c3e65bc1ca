/** The QR code of a short link, black on white as readers expect it in light and dark mode. */
import { create } from "qrcode";

/** Modules of quiet zone, which the standard asks for (ISO/IEC 18004). */
const quiet = 4;
/** Whole pixels per module keep its edges sharp; a saved code is printed as well. */
const modulePixels = 16;

export function drawQrCode(canvas: HTMLCanvasElement, shortLink: string): void {
  // Visits of this URL are counted as QR scans.
  const { modules } = create(`${shortLink}?qr=1`, { errorCorrectionLevel: "M" });
  const pixels = (modules.size + 2 * quiet) * modulePixels;
  canvas.width = pixels;
  canvas.height = pixels;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("A canvas without a context");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, pixels, pixels);
  context.fillStyle = "#000";
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column) !== 1) continue;
      const [x, y] = [(column + quiet) * modulePixels, (row + quiet) * modulePixels];
      context.fillRect(x, y, modulePixels, modulePixels);
    }
  }
}

export function savePng(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (!blob) return;
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(blob);
    anchor.download = `${name}.png`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  }, "image/png");
}
