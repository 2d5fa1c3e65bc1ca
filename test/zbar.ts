/** An independent reader of QR codes: the one on the PATH, otherwise Debian's, unpacked next to the checkout. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findOrUnpack } from "../scripts/debian.ts";
import { Advice, run } from "../scripts/processes.ts";

/** Reads the only code in an image file; undefined when it finds none. */
export async function readQrCode(file: string): Promise<string | undefined> {
  const [found] = await readQrCodes([file]);
  return found;
}

/** Reads the only code in each of several image files with one start of the reader; undefined where it finds none. */
export async function readQrCodes(files: readonly string[]): Promise<(string | undefined)[]> {
  const { program, env } = await findZbar();
  const args = ["--quiet", "--xml", "--nodbus", "-Sdisable", "-Sqrcode.enable", ...files];
  const ended = await run(program, args, { env });
  if (ended.code !== 0 && ended.code !== nothingFound) {
    throw new Advice(`zbarimg ended with code ${ended.code}: ${ended.stderr}`);
  }
  const sources = ended.stdout.split("</source>").slice(0, -1);
  if (sources.length !== files.length) {
    throw new Advice(`zbarimg read ${sources.length} of ${files.length} files: ${ended.stderr}`);
  }
  return sources.map(textOf);
}

/** The text of the only code of a file. */
function textOf(source: string): string | undefined {
  const codes = [...source.matchAll(/<data([^>]*)><!\[CDATA\[(.*?)\]\]><\/data>/gs)];
  const texts = codes.map(([, attributes = "", text = ""]) =>
    attributes.includes("base64") ? Buffer.from(text, "base64").toString() : text,
  );
  return texts.length > 0 ? texts.join("\n") : undefined;
}

const nothingFound = 4;

async function findZbar(): Promise<{ program: string; env: Record<string, string> }> {
  const found = await findOrUnpack("zbarimg", undefined, "zbar-tools");
  const { program, folder, env } = found;
  if (folder === undefined) return found;
  // Its image library looks for format modules by an absolute path.
  const [formats = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /ImageMagick-[^/]+\/modules-[^/]+\/coders$/.test(path),
  );
  return {
    program,
    env: { ...env, MAGICK_CODER_MODULE_PATH: join(folder, formats) },
  };
}
