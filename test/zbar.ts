/** An independent reader of QR codes: the one on the PATH, otherwise Debian's, unpacked next to the checkout. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findOrUnpack } from "../scripts/debian.ts";
import { Advice, run } from "../scripts/processes.ts";

/** Reads the only code in an image file; undefined when it finds none. */
export async function readQrCode(file: string): Promise<string | undefined> {
  const { program, env } = await findZbar();
  const args = ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", file];
  const ended = await run(program, args, { env });
  if (ended.code === 0) return ended.stdout.replace(/\n$/, "");
  if (ended.code === nothingFound) return undefined;
  throw new Advice(`zbarimg ended with code ${ended.code}: ${ended.stderr}`);
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
