/**
 * Logos that people upload. What is kept is not what came: the picture is decoded and encoded anew as a PNG, so nothing
 * that was hidden before, behind or inside it survives, no script, no second file, no place where it was taken.
 *
 * The first bytes say which decoder may run: PNG, JPEG or WebP. SVG is refused, because it is a document.
 */
import sharp from "sharp";
import { AppError } from "#lib/platform/errors";

export const logoBytesMax = 512 * 1024;
/** A small file can hold a huge picture; this many take 64 MB while they are decoded. */
export const logoPixelsMax = 4_096 * 4_096;
/** Of the side of what is kept. */
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

export interface NewLogo {
  png: Buffer;
  width: number;
  height: number;
}

/** An uploaded picture as a PNG of ours. Throws a 422 that says what is wrong with it. */
export async function readLogo(bytes: Buffer): Promise<NewLogo> {
  if (bytes.length === 0) throw refusal("The image is empty.");
  if (bytes.length > logoBytesMax) {
    throw refusal(`A logo can have up to ${logoBytesMax / 1024} KB. Use a smaller image.`);
  }
  const known = signatures.find(({ matches }) => matches(bytes));
  if (!known) throw refusal("Use a PNG, JPEG or WebP image.");
  try {
    return await encodeAnew(bytes, known.format);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The decoder was given bytes of a stranger: whatever it dislikes is a fault of theirs.
    throw refusal("The image can’t be read. Save it again and retry.");
  }
}

async function encodeAnew(bytes: Buffer, format: string): Promise<NewLogo> {
  // Its header alone is read first, without a limit of the library, so that the refusal can say what is wrong.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (header.format !== format) throw refusal("The image isn’t a valid PNG, JPEG or WebP file.");
  if (header.width * header.height > logoPixelsMax) {
    throw refusal(
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

function refusal(message: string): AppError {
  return new AppError("unprocessable_entity", message);
}
