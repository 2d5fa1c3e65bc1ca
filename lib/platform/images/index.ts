/**
 * An upload is never stored: it is decoded and encoded again, in a parsing child process, so that
 * no script, second file or photo location survives.
 */
import type { Sharp } from "sharp";
import { AppError } from "#lib/platform/errors";
import { defineParser, type Sender } from "#lib/platform/parsers";
import { drawSvgFile } from "./svg.ts";

export const logoBytesMax = 512 * 1024;
/** A small file can contain a huge image. This many take 64 MB while they are decoded. */
export const logoPixelsMax = 4_096 * 4_096;
export const logoSidePixels = 512;
/** Fits as base64 into a JSON body of one megabyte. */
export const pictureBytesMax = 700 * 1024;
/** The most that social networks show. */
export const pictureWidthPixels = 1_200;
export const pictureHeightPixels = 630;
const jpegQuality = 82;
const cpuMsMax = () => 10_000;

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

/** Throws a 422 with the reason. */
export function readLogo(bytes: Buffer, sender: Sender): Promise<EncodedLogo> {
  return logoParser.run({ bytes, icon: false }, sender);
}

/** Like `readLogo`, for the icon of a site, which may also be an ICO file that contains a PNG. */
export function readIcon(bytes: Buffer, sender: Sender): Promise<EncodedLogo> {
  return logoParser.run({ bytes, icon: true }, sender);
}

export const logoParser = defineParser({
  name: "logo",
  lane: "quick",
  cpuMsMax,
  refusal: unreadable,
  parse: async ({ bytes, icon }: { bytes: Buffer; icon: boolean }): Promise<EncodedLogo> => {
    const image = (icon && pngIn(bytes)) || bytes;
    const { data, width, height } = await readImage(image, "logo", logoBytesMax, (decoded) =>
      decoded
        .resize(logoSidePixels, logoSidePixels, { fit: "inside", withoutEnlargement: true })
        .toColorspace("srgb")
        .png({ compressionLevel: 9 }),
    );
    return { png: data, width, height };
  },
});

export interface EncodedPicture {
  jpeg: Buffer;
  width: number;
  height: number;
}

/** As JPEG, because social networks show no transparency. Throws a 422 with the reason. */
export function readPicture(bytes: Buffer, sender: Sender): Promise<EncodedPicture> {
  return pictureParser.run(bytes, sender);
}

export const pictureParser = defineParser({
  name: "picture",
  lane: "quick",
  cpuMsMax,
  refusal: unreadable,
  parse: async (bytes: Buffer): Promise<EncodedPicture> => {
    const { data, width, height } = await readImage(bytes, "picture", pictureBytesMax, (decoded) =>
      decoded
        .resize(pictureWidthPixels, pictureHeightPixels, {
          fit: "inside",
          withoutEnlargement: true,
        })
        .flatten({ background: "#ffffff" })
        .toColorspace("srgb")
        .jpeg({ quality: jpegQuality, mozjpeg: true }),
    );
    return { jpeg: data, width, height };
  },
});

type Kind = "logo" | "picture";
const subjects = { logo: "A logo", picture: "An image" } as const;
const formats = { logo: "PNG, JPEG, WebP or SVG", picture: "PNG, JPEG or WebP" } as const;

interface EncodedImage {
  data: Buffer;
  width: number;
  height: number;
}

async function readImage(
  bytes: Buffer,
  kind: Kind,
  bytesMax: number,
  encode: (image: Sharp) => Sharp,
): Promise<EncodedImage> {
  if (bytes.length === 0) throw invalidImage("The image is empty.");
  // defence: image-bytes
  if (bytes.length > bytesMax) {
    throw invalidImage(
      `${subjects[kind]} can have up to ${bytesMax / 1024} KB. Use a smaller image.`,
    );
  }
  const known = signatures.find(({ matches }) => matches(bytes));
  // Pictures are photos and screenshots. A drawing would appear in the size of a logo.
  if (!known && !(kind === "logo" && looksLikeSvg(bytes))) {
    throw invalidImage(`Use a ${formats[kind]} image.`);
  }
  try {
    const decoded = known ? bytes : await drawSvgFile(bytes, logoSidePixels);
    await checkHeader(decoded, kind, known?.format ?? "png");
    const { default: sharp } = await import("sharp");
    const image = sharp(decoded, { limitInputPixels: logoPixelsMax, failOn: "error" });
    const { data, info } = await encode(image.autoOrient()).toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The decoder runs on untrusted bytes, so any failure is blamed on the upload.
    throw unreadable();
  }
}

function unreadable(): AppError {
  return invalidImage("The image can’t be read. Save it again and retry.");
}

/** It starts like XML. Anything but an SVG is refused later. */
function looksLikeSvg(bytes: Buffer): boolean {
  return /^(?:\ufeff)?\s*<(?:\?xml|svg|!--|!DOCTYPE\s+svg)/i.test(bytes.toString("utf8", 0, 100));
}

/** Reads only the header, without sharp's limit, so that the error can name the reason. */
async function checkHeader(bytes: Buffer, kind: Kind, format: string): Promise<void> {
  const { default: sharp } = await import("sharp");
  const header = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (header.format !== format)
    throw invalidImage("The image isn’t a valid PNG, JPEG or WebP file.");
  if (header.width * header.height > logoPixelsMax) {
    throw invalidImage(
      `${subjects[kind]} can have up to ${logoPixelsMax} pixels, but this one has ${header.width} × ${header.height}. Use a smaller image.`,
    );
  }
}

function invalidImage(message: string): AppError {
  return new AppError("unprocessable_entity", message);
}

const icoHead = Buffer.from([0, 0, 1, 0]);
const pngHead = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const icoHeadBytes = 6;
const icoEntryBytes = 16;

/** The largest PNG in an ICO file. */
function pngIn(bytes: Buffer): Buffer | undefined {
  if (bytes.length < icoHeadBytes || !bytes.subarray(0, icoHead.length).equals(icoHead)) return;
  let largest: Buffer | undefined;
  for (let nth = 0; nth < bytes.readUInt16LE(4); nth++) {
    const entry = icoHeadBytes + nth * icoEntryBytes;
    if (entry + icoEntryBytes > bytes.length) break;
    const start = bytes.readUInt32LE(entry + 12);
    const picture = bytes.subarray(start, start + bytes.readUInt32LE(entry + 8));
    const isPng = picture.subarray(0, pngHead.length).equals(pngHead);
    if (isPng && picture.length > (largest?.length ?? 0)) largest = picture;
  }
  return largest;
}
