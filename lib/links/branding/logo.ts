/** A logo that fits into a page of ten kilobytes: it stands in the page itself, so that nothing else is asked for. */
import sharp from "sharp";
import { AppError } from "#lib/platform/errors";
import { readLogo } from "#lib/platform/images";

/** In base64 it is a third larger. */
export const pageLogoBytesMax = 4_096;
/** Pixels from left to right and from top to bottom, and colours: the first that fits is taken. */
const attempts = [
  { side: 128, colours: 256 },
  { side: 128, colours: 32 },
  { side: 96, colours: 32 },
  { side: 64, colours: 32 },
  { side: 48, colours: 16 },
  { side: 32, colours: 8 },
];

/** An uploaded picture as a small PNG of ours. Throws a 422 that says what is wrong with it. */
export async function shrinkLogo(bytes: Buffer): Promise<Buffer> {
  const { png } = await readLogo(bytes);
  for (const { side, colours } of attempts) {
    const small = await sharp(png)
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .png({ palette: true, colours, compressionLevel: 9, effort: 10 })
      .toBuffer();
    if (small.length <= pageLogoBytesMax) return small;
  }
  throw new AppError("unprocessable_entity", "The logo is too detailed. Use a simpler one.");
}
