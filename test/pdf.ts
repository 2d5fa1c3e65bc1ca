/** An independent renderer of PDFs: the one on the PATH, otherwise Debian's, unpacked next to the checkout. */
import { findOrUnpack } from "../scripts/debian.ts";
import { Advice, run } from "../scripts/processes.ts";

/** Renders a page of a PDF beside it, and returns the path of the PNG. */
export async function renderPdf(file: string, dotsPerInch: number, page = 1): Promise<string> {
  const { program, env } = await findOrUnpack("pdftoppm", undefined, "poppler-utils");
  const target = `${file}.${page}`;
  const args = ["-r", String(dotsPerInch), "-f", String(page), "-singlefile", "-png", file, target];
  const ended = await run(program, args, { env });
  // It reports damaged files as errors, and renders what it can.
  if (ended.code !== 0 || ended.stderr !== "") {
    throw new Advice(`pdftoppm ended with code ${ended.code}: ${ended.stderr}`);
  }
  return `${target}.png`;
}
