/** A logo small enough to embed in a page, without another request. */
import sharp from "sharp";
import { AppError } from "#lib/platform/errors";
import { readLogo } from "#lib/platform/images";
import type { Sender } from "#lib/platform/parsers";
import { pageLogoBytesMax } from "./schema.ts";

const sizes = [
  { side: 128, colours: 256 },
  { side: 128, colours: 32 },
  { side: 96, colours: 32 },
  { side: 64, colours: 32 },
  { side: 48, colours: 16 },
  { side: 32, colours: 8 },
];

/** Throws a 422 if the image is not a logo. */
export async function shrinkLogo(bytes: Buffer, sender: Sender): Promise<Buffer> {
  const { png } = await readLogo(bytes, sender);
  for (const { side, colours } of sizes) {
    const small = await sharp(png)
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .png({ palette: true, colours, compressionLevel: 9, effort: 10 })
      .toBuffer();
    if (small.length <= pageLogoBytesMax) return small;
  }
  throw new AppError("unprocessable_entity", "The logo is too detailed. Use a simpler one.");
}
