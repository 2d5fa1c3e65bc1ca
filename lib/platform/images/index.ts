/**
 * Uploaded logos. The upload itself is never stored: the image is decoded and encoded again as a PNG, so no hidden
 * content before, after or inside it survives, no script, no second file, no location of a photo.
 *
 * The first bytes decide which decoder may run: PNG, JPEG or WebP. SVG is refused, because it is a document.
 */
import sharp from "sharp";
import { AppError } from "#lib/platform/errors";

export const logoBytesMax = 512 * 1024;
/** A small file can contain a huge image; this many take 64 MB while they are decoded. */
export const logoPixelsMax = 4_096 * 4_096;
/** Side length of the stored image. */
export const logoSidePixels = 512;
const secondsMax = 5;

const signatures: readonly { format: string; matches: (bytes: Buffer) => boolean }[] = [
  { format: "png", matches: (bytes) => startsWith(bytes, 0, "\x89PNG\r\n\x1a\n") },
  { format: "jpeg", matches: (bytes) => startsWith(bytes, 0, "\xff\xd8\xff") },
  {
    format: "webp",
    matches: (bytes) => startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP"),
  },
];

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString("latin1", at, at + text.length) === text;
}

export interface EncodedLogo {
  png: Buffer;
  width: number;
  height: number;
}

/** An uploaded image as a newly encoded PNG. Throws a 422 with the reason. */
export async function readLogo(bytes: Buffer): Promise<EncodedLogo> {
  if (bytes.length === 0) throw invalidImage("The image is empty.");
  if (bytes.length > logoBytesMax) {
    throw invalidImage(`A logo can have up to ${logoBytesMax / 1024} KB. Use a smaller image.`);
  }
  const known = signatures.find(({ matches }) => matches(bytes));
  if (!known) throw invalidImage("Use a PNG, JPEG or WebP image.");
  try {
    return await reencode(bytes, known.format);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The decoder runs on untrusted bytes: any failure is attributed to the upload.
    throw invalidImage("The image can’t be read. Save it again and retry.");
  }
}

async function reencode(bytes: Buffer, format: string): Promise<EncodedLogo> {
  // Only its header is read first, without the library's limit, so that the error can name the reason.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (header.format !== format)
    throw invalidImage("The image isn’t a valid PNG, JPEG or WebP file.");
  if (header.width * header.height > logoPixelsMax) {
    throw invalidImage(
      `A logo can have up to ${logoPixelsMax} pixels, but this one has ${header.width} × ${header.height}. Use a smaller image.`,
    );
  }
  const { data, info } = await sharp(bytes, { limitInputPixels: logoPixelsMax, failOn: "error" })
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .resize(logoSidePixels, logoSidePixels, { fit: "inside", withoutEnlargement: true })
    .toColorspace("srgb")
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

function invalidImage(message: string): AppError {
  return new AppError("unprocessable_entity", message);
}
