/** An independent renderer of PDFs: the one on the PATH, otherwise Debian's, unpacked next to the checkout. */
import { findOrUnpack } from "../scripts/debian.ts";
import { Advice, run } from "../scripts/processes.ts";

/** Renders the first page of a PDF beside it, and returns the path of the PNG. */
export async function renderPdf(file: string, dotsPerInch: number): Promise<string> {
  const { program, env } = await findOrUnpack("pdftoppm", undefined, "poppler-utils");
  const args = ["-r", String(dotsPerInch), "-f", "1", "-singlefile", "-png", file, file];
  const ended = await run(program, args, { env });
  // It reports damaged files as errors, and renders what it can.
  if (ended.code !== 0 || ended.stderr !== "") {
    throw new Advice(`pdftoppm ended with code ${ended.code}: ${ended.stderr}`);
  }
  return `${file}.png`;
}
