/**
 * Drawings as a PDF: the same paths as in an SVG, so a printer draws sharp edges at any size. The
 * file is written page by page, so memory does not depend on its length: the catalog, then each
 * page with its content and new logos, then the list of pages and the cross-reference table. A logo
 * is stored once, however many codes have it.
 */

import { promisify } from "node:util";
import { deflate } from "node:zlib";
import sharp from "sharp";
import { channelsOf } from "#lib/basics/formats/schema";
import type { Box } from "#lib/links/qr-design/schema";
import { type Drawing, type GradientPaint, radialShare, type Shape } from "./parts.ts";
import { pdfPath } from "./pdf-path.ts";

const deflateAsync = promisify(deflate);
export const pointsPerMillimeter = 72 / 25.4;

const objects = { catalog: 1, pages: 2 } as const;

export interface PlacedDrawing {
  drawing: Drawing;
  x: number;
  y: number;
  scale: number;
}

interface StoredImage {
  object: number;
  wide: number;
  high: number;
}

interface PageResources {
  shadings: string[];
  images: Set<number>;
}

export class PdfFile {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #places: number[] = [];
  readonly #kids: number[] = [];
  readonly #images = new Map<Uint8Array, StoredImage>();
  #length = 0;
  #last: number = objects.pages;

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  async addPage(
    { width, height }: { width: number; height: number },
    drawings: readonly PlacedDrawing[],
  ): Promise<void> {
    if (this.#length === 0) await this.#begin();
    const resources: PageResources = { shadings: [], images: new Set() };
    const [page, content] = [this.#reserve(), this.#reserve()];
    const parts: string[] = [];
    for (const { drawing, x, y, scale } of drawings) {
      // PDF measures from the bottom of the page, drawings from their top in their own units.
      const space = `${round(scale)} 0 0 ${round(-scale)} ${round(x)} ${round(height - y)} cm`;
      const shapes = drawing.shapes.map((shape) => drawShape(shape, resources.shadings));
      const logo = drawing.logo ? [await this.#drawLogo(drawing.logo, resources)] : [];
      parts.push("q", space, ...shapes, ...logo, "Q");
    }
    await this.#putStream(content, "", Buffer.from(parts.join("\n")));
    const images = [...resources.images].map((object) => `/I${object} ${object} 0 R`).join(" ");
    const shadings = resources.shadings.map((one, at) => `/S${at} ${one}`).join(" ");
    await this.#put(
      page,
      `<< /Type /Page /Parent ${objects.pages} 0 R /MediaBox [0 0 ${round(width)} ${round(height)}] /Contents ${content} 0 R /Resources << /XObject << ${images} >> /Shading << ${shadings} >> >> >>`,
    );
    this.#kids.push(page);
  }

  async end(): Promise<void> {
    const kids = this.#kids.map((page) => `${page} 0 R`).join(" ");
    await this.#put(
      objects.pages,
      `<< /Type /Pages /Kids [${kids}] /Count ${this.#kids.length} >>`,
    );
    const size = this.#last + 1;
    const rows = Array.from({ length: this.#last }, (_, at) => {
      return `${String(this.#places[at + 1] ?? 0).padStart(10, "0")} 00000 n \n`;
    });
    await this.#append(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}trailer\n<< /Size ${size} /Root ${objects.catalog} 0 R >>\nstartxref\n${this.#length}\n%%EOF\n`,
      ),
    );
  }

  async #begin(): Promise<void> {
    await this.#append(Buffer.from("%PDF-1.6\n%\xe2\xe3\xcf\xd3\n", "latin1"));
    // Without this, print dialogs shrink a page to the printable area, and labels are off.
    const preferences = "/ViewerPreferences << /PrintScaling /None >>";
    await this.#put(
      objects.catalog,
      `<< /Type /Catalog /Pages ${objects.pages} 0 R ${preferences} >>`,
    );
  }

  async #drawLogo(logo: Box & { png: Uint8Array }, { images }: PageResources): Promise<string> {
    const image = this.#images.get(logo.png) ?? (await this.#putImage(logo.png));
    this.#images.set(logo.png, image);
    images.add(image.object);
    return drawImage(logo, image);
  }

  async #putImage(png: Uint8Array): Promise<StoredImage> {
    const { pixels, wide, high } = await readPixels(png);
    const { colors, alpha } = splitPixels(pixels);
    const [object, mask] = [this.#reserve(), this.#reserve()];
    const common = `/Type /XObject /Subtype /Image /Width ${wide} /Height ${high} /BitsPerComponent 8`;
    await this.#putStream(object, `${common} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, colors);
    await this.#putStream(mask, `${common} /ColorSpace /DeviceGray`, alpha);
    return { object, wide, high };
  }

  #reserve(): number {
    this.#last += 1;
    return this.#last;
  }

  async #putStream(object: number, entries: string, bytes: Buffer): Promise<void> {
    const packed = await deflateAsync(bytes);
    const head = `<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
    await this.#put(object, Buffer.concat([Buffer.from(head), packed, Buffer.from("\nendstream")]));
  }

  async #put(object: number, body: string | Buffer): Promise<void> {
    this.#places[object] = this.#length;
    const [head, foot] = [Buffer.from(`${object} 0 obj\n`), Buffer.from("\nendobj\n")];
    await this.#append(Buffer.concat([head, Buffer.from(body), foot]));
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#length += bytes.length;
    await this.#write(bytes);
  }
}

export async function encodePdf(
  drawing: Drawing,
  millimeters: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const scale = (millimeters * pointsPerMillimeter) / drawing.width;
  const chunks: Uint8Array[] = [];
  const file = new PdfFile(async (bytes) => void chunks.push(bytes));
  const page = { width: drawing.width * scale, height: drawing.height * scale };
  await file.addPage(page, [{ drawing, x: 0, y: 0, scale }]);
  await file.end();
  return Buffer.concat(chunks);
}

function drawShape({ path, paint, offset, rule }: Shape, shadings: string[]): string {
  const place = `1 0 0 1 ${offset} ${offset} cm`;
  if (typeof paint === "string") {
    return `q ${place} ${shares(paint)} rg ${pdfPath(path)} ${rule === "nonzero" ? "f" : "f*"} Q`;
  }
  shadings.push(shadingOf(paint));
  return `q ${place} ${pdfPath(path)} W* n /S${shadings.length - 1} sh Q`;
}

function shares(color: string): string {
  return channelsOf(color)
    .map((channel) => round(channel / 255))
    .join(" ");
}

function shadingOf({ gradient, from, to, side }: GradientPaint): string {
  const half = side / 2;
  const [type, place] =
    gradient === "linear"
      ? [2, [0, 0, side, side]]
      : [3, [half, half, 0, half, half, round(side * radialShare)]];
  return `<< /ShadingType ${type} /ColorSpace /DeviceRGB /Coords [${place.join(" ")}] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [${shares(from)}] /C1 [${shares(to)}] /N 1 >> >>`;
}

/** An image fills the unit square, its first row at the top. It keeps its proportions. */
function drawImage(place: Box, { object, wide, high }: StoredImage): string {
  const scale = Math.min(place.width / wide, place.height / high);
  const [width, height] = [wide * scale, high * scale];
  const x = place.x + (place.width - width) / 2;
  const bottom = place.y + (place.height + height) / 2;
  return `q ${round(width)} 0 0 ${round(-height)} ${round(x)} ${round(bottom)} cm /I${object} Do Q`;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

const secondsMax = 20;

interface Pixels {
  pixels: Buffer;
  wide: number;
  high: number;
}

async function readPixels(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .timeout({ seconds: secondsMax })
    .toColorspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, wide: info.width, high: info.height };
}

function splitPixels(pixels: Buffer): { colors: Buffer; alpha: Buffer } {
  const count = pixels.length / 4;
  const [colors, alpha] = [Buffer.alloc(3 * count), Buffer.alloc(count)];
  for (let pixel = 0; pixel < count; pixel++) {
    pixels.copy(colors, 3 * pixel, 4 * pixel, 4 * pixel + 3);
    alpha[pixel] = pixels[4 * pixel + 3] ?? 0;
  }
  return { colors, alpha };
}
