/** Compresses scripts and styles of the pages beside themselves, for lib/platform/pages. */
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
