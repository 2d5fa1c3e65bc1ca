/** An independent renderer of PDFs: the one on the PATH, otherwise Debian's, unpacked next to the checkout. */
import { readFile } from "node:fs/promises";
import { findOrUnpack } from "../scripts/debian.ts";
import { Advice, run } from "../scripts/processes.ts";

/** Grey pixels, one byte each. */
export interface Picture {
  data: Buffer;
  width: number;
  height: number;
}

/** Renders a page of a PDF beside it, and returns the path of the PNG. */
export async function renderPdf(file: string, dotsPerInch: number, page = 1): Promise<string> {
  return `${await render(file, "-png", dotsPerInch, page)}.png`;
}

/** Renders a page of a PDF in grey. Most of the time for a PNG of a whole page goes into compressing it. */
export async function renderGreyPdf(
  file: string,
  dotsPerInch: number,
  page: number,
): Promise<Picture> {
  const bytes = await readFile(`${await render(file, "-gray", dotsPerInch, page)}.pgm`);
  const header = /^P5\s(\d+)\s(\d+)\s255\s/.exec(bytes.subarray(0, 64).toString("latin1"));
  if (!header) throw new Advice(`pdftoppm made no picture of ${file}`);
  return {
    data: bytes.subarray(header[0].length),
    width: Number(header[1]),
    height: Number(header[2]),
  };
}

/** The bytes of a file with the picture. */
export function pgmOf({ data, width, height }: Picture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]);
}

/** Returns the path of the picture without its ending. */
async function render(
  file: string,
  format: "-png" | "-gray",
  dotsPerInch: number,
  page: number,
): Promise<string> {
  const { program, env } = await findOrUnpack("pdftoppm", undefined, "poppler-utils");
  const target = `${file}.${page}`;
  const place = ["-r", String(dotsPerInch), "-f", String(page), "-singlefile"];
  const ended = await run(program, [...place, format, file, target], { env });
  // It reports damaged files as errors, and renders what it can.
  if (ended.code !== 0 || ended.stderr !== "") {
    throw new Advice(`pdftoppm ended with code ${ended.code}: ${ended.stderr}`);
  }
  return target;
}
