/** Compresses the scripts and styles of pages for lib/platform/pages, and shrinks the server’s code of pages. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { compressedSuffix, isPageFile } from "#lib/platform/pages";

const folder = join(".next", "static", "chunks");
const compress = promisify(brotliCompress);

export async function compressPageFiles(): Promise<void> {
  const names = readdirSync(folder).filter(isPageFile);
  await Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(join(folder, name));
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(join(folder, `${name}${compressedSuffix}`), await compress(bytes, { params }));
    }),
  );
}

const serverFolder = join(".next", "server", "chunks");
const beyondLatin1 = /[^\0-\xff]/;

/** V8 stores a whole program with two bytes per character if a single one is beyond Latin-1. */
export async function escapePageChunks(): Promise<void> {
  const files = readdirSync(serverFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(serverFolder, name))
    .filter((file) => beyondLatin1.test(readFileSync(file, "utf8")));
  const { build } = await import("esbuild");
  await build({
    entryPoints: files,
    outdir: serverFolder,
    outbase: serverFolder,
    allowOverwrite: true,
    charset: "ascii",
    minifyWhitespace: true,
    platform: "node",
    target: "node20",
    sourcemap: true,
    logLevel: "silent",
  });
}
