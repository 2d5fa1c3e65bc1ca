/**
 * A drawn code as a PDF of one page: the same paths, so a printer draws sharp edges at any size.
 *
 *     catalog │ pages │ page │ content: paths │ image of the logo, and its mask
 *
 * The page has the size of the code.
 */
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import sharp from "sharp";
import { channelsOf } from "#lib/platform/colors/schema";
import { type Drawing, type GradientPaint, radialShare, type Shape } from "./parts.ts";
import { pdfPath } from "./pdf-path.ts";
import type { Box } from "./shapes.ts";

const deflateAsync = promisify(deflate);
const pointsPerMillimeter = 72 / 25.4;
const secondsMax = 20;

/** Fixed numbers of the objects that refer to each other. */
const objects = { catalog: 1, pages: 2, page: 3, content: 4, first: 5 } as const;

export async function encodePdf(
  drawing: Drawing,
  millimeters: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const scale = (millimeters * pointsPerMillimeter) / drawing.width;
  const page = [round(drawing.width * scale), round(drawing.height * scale)] as const;
  const images = await imagesOf(drawing);
  const shadings = drawing.shapes.flatMap(({ paint }) =>
    typeof paint === "string" ? [] : [paint],
  );
  // From the bottom of the page in points to the top of the drawing in modules.
  const space = `${round(scale)} 0 0 ${round(-scale)} 0 ${page[1]} cm`;
  const parts = [space, ...drawing.shapes.map(drawShape), ...images.map(drawImage)];
  const names = images.map((_, at) => `/I${at} ${objects.first + 2 * at} 0 R`);
  const resources = `<< /XObject << ${names.join(" ")} >> /Shading << ${shadings.map((one) => `/S0 ${shadingOf(one)}`).join("")} >> >>`;
  return joinObjects([
    `<< /Type /Catalog /Pages ${objects.pages} 0 R >>`,
    `<< /Type /Pages /Kids [${objects.page} 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent ${objects.pages} 0 R /MediaBox [0 0 ${page.join(" ")}] /Contents ${objects.content} 0 R /Resources ${resources} >>`,
    await streamOf("", Buffer.from(parts.join("\n"))),
    ...(await Promise.all(images.map(imageObjects))).flat(),
  ]);
}

function drawShape({ path, paint, offset, rule }: Shape): string {
  const place = `1 0 0 1 ${offset} ${offset} cm`;
  const drawn =
    typeof paint === "string"
      ? `${channelsOf(paint)
          .map((channel) => round(channel / 255))
          .join(" ")} rg ${pdfPath(path)} ${rule === "nonzero" ? "f" : "f*"}`
      : `${pdfPath(path)} W* n /S0 sh`;
  return `q ${place} ${drawn} Q`;
}

function shadingOf({ gradient, from, to, side }: GradientPaint): string {
  const half = side / 2;
  const [type, place] =
    gradient === "linear"
      ? [2, [0, 0, side, side]]
      : [3, [half, half, 0, half, half, round(side * radialShare)]];
  const [first, last] = [from, to].map((color) =>
    channelsOf(color)
      .map((channel) => round(channel / 255))
      .join(" "),
  );
  return `<< /ShadingType ${type} /ColorSpace /DeviceRGB /Coords [${place.join(" ")}] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [${first}] /C1 [${last}] /N 1 >> >>`;
}

/** Pixels with their place in the drawing. */
interface PlacedImage extends Box {
  pixels: Buffer;
  wide: number;
  high: number;
}

async function imagesOf({ logo }: Drawing): Promise<PlacedImage[]> {
  if (!logo) return [];
  const { data, info } = await sharp(logo.png)
    .timeout({ seconds: secondsMax })
    .toColorspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // As an SVG does: in the middle of its place, its proportions kept.
  const scale = Math.min(logo.width / info.width, logo.height / info.height);
  const [wide, high] = [info.width * scale, info.height * scale];
  const [x, y] = [logo.x + (logo.width - wide) / 2, logo.y + (logo.height - high) / 2];
  const place = { x, y, width: wide, height: high };
  return [{ ...place, pixels: data, wide: info.width, high: info.height }];
}

/** An image fills the unit square, its first row at the top. */
function drawImage({ x, y, width, height }: PlacedImage, at: number): string {
  return `q ${round(width)} 0 0 ${round(-height)} ${round(x)} ${round(y + height)} cm /I${at} Do Q`;
}

/** The colors of an image, and its transparency as a mask in the next object. */
async function imageObjects(image: PlacedImage, at: number): Promise<Buffer[]> {
  const { pixels, wide, high } = image;
  const count = wide * high;
  const [colors, alpha] = [Buffer.alloc(3 * count), Buffer.alloc(count)];
  for (let pixel = 0; pixel < count; pixel++) {
    pixels.copy(colors, 3 * pixel, 4 * pixel, 4 * pixel + 3);
    alpha[pixel] = pixels[4 * pixel + 3] ?? 0;
  }
  const common = `/Type /XObject /Subtype /Image /Width ${wide} /Height ${high} /BitsPerComponent 8`;
  const mask = objects.first + 2 * at + 1;
  return [
    await streamOf(`${common} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, colors),
    await streamOf(`${common} /ColorSpace /DeviceGray`, alpha),
  ];
}

async function streamOf(entries: string, bytes: Buffer): Promise<Buffer> {
  const packed = await deflateAsync(bytes);
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    Buffer.from("\nendstream"),
  ]);
}

/** The file: its objects, and a table of the places where they begin. */
function joinObjects(bodies: readonly (string | Buffer)[]): Uint8Array<ArrayBuffer> {
  const chunks = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  let length = chunks[0]?.length ?? 0;
  const places: number[] = [];
  for (const [at, body] of bodies.entries()) {
    const chunk = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from("\nendobj\n"),
    ]);
    places.push(length);
    length += chunk.length;
    chunks.push(chunk);
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
  const size = bodies.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}trailer\n<< /Size ${size} /Root ${objects.catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...chunks, Buffer.from(table)]);
}

/** No exponents, which PDF does not have. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
