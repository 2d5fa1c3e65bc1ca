/** An independent reader of QR codes: the one on the PATH, otherwise Debian's, unpacked next to the checkout. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { peekUnpacked, unpackDebianPackages } from "../scripts/debian.ts";
import { Advice, findProgram, run } from "../scripts/processes.ts";

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
  const installed = findProgram("zbarimg");
  if (installed) return { program: installed, env: {} };
  const { folder, env } =
    peekUnpacked("zbar") ?? (await unpackDebianPackages("zbar", ["zbar-tools"], console.log));
  // Its image library looks for format modules by an absolute path.
  const [formats = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /ImageMagick-[^/]+\/modules-[^/]+\/coders$/.test(path),
  );
  return {
    program: join(folder, "usr/bin/zbarimg"),
    env: { ...env, MAGICK_CODER_MODULE_PATH: join(folder, formats) },
  };
}
