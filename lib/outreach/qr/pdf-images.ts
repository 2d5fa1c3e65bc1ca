/** Images as a PDF stores them: colors and transparency apart, without the compression of PNG. */
import sharp from "sharp";

const secondsMax = 20;

interface Pixels {
  /** Red, green, blue and opacity of each. */
  pixels: Buffer;
  wide: number;
  high: number;
}

export async function readPixels(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .timeout({ seconds: secondsMax })
    .toColorspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, wide: info.width, high: info.height };
}

export function splitPixels(pixels: Buffer): { colors: Buffer; alpha: Buffer } {
  const count = pixels.length / 4;
  const [colors, alpha] = [Buffer.alloc(3 * count), Buffer.alloc(count)];
  for (let pixel = 0; pixel < count; pixel++) {
    pixels.copy(colors, 3 * pixel, 4 * pixel, 4 * pixel + 3);
    alpha[pixel] = pixels[4 * pixel + 3] ?? 0;
  }
  return { colors, alpha };
}
