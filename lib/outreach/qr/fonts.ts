/**
 * The fonts of captions come with Fuxi, so a machine without fonts draws the same: Geist for Latin,
 * and Noto Sans SC for Chinese, kana, Cyrillic and Vietnamese, in about a hundred files with some
 * of its characters each. A file is read when a caption first needs one of its characters, because
 * all of them would take seconds and 100 MB. The decoder, which takes 17 MB, is loaded then too.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Font } from "opentype.js";

export interface Face {
  font: Font;
  options: { variation?: Readonly<Record<string, number>> };
}

const semiBold = { variation: { wght: 600 } };
/** A Chinese sentence takes about ten of them; each takes 1 MB of memory. */
const filesKeptMax = 16;
const notoPackage = "@fontsource-variable/noto-sans-sc";

interface CharacterRange {
  from: number;
  to: number;
  file: string;
}

let latin: Promise<Face> | undefined;
let ranges: Promise<CharacterRange[]> | undefined;
const files = new LRUCache<string, Face>({
  max: filesKeptMax,
  fetchMethod: async (file) => {
    const { default: decompress } = await import("woff2-encoder/decompress");
    return { font: await parse(await decompress(await readFile(file))), options: semiBold };
  },
});

export async function findFace(sign: string): Promise<Face | undefined> {
  latin ??= readLatin();
  const face = await latin;
  if (has(face, sign)) return face;
  ranges ??= readRanges();
  const code = sign.codePointAt(0) ?? 0;
  for (const { from, to, file } of await ranges) {
    if (code < from || code > to) continue;
    const found = await files.fetch(file);
    if (found && has(found, sign)) return found;
  }
  return undefined;
}

function has({ font }: Face, sign: string): boolean {
  return font.charToGlyphIndex(sign) !== 0;
}

async function readLatin(): Promise<Face> {
  const folder = dirname(resolveFile("geist/font"));
  const file = join(folder, "fonts", "geist-sans", "Geist-SemiBold.ttf");
  return { font: await parse(await readFile(file)), options: {} };
}

/** The package lists the characters of each file: `"[4]": "U+1f1e9-1f1f5,U+2116"`. */
async function readRanges(): Promise<CharacterRange[]> {
  const index = resolveFile(`${notoPackage}/unicode.json`);
  const listed: Record<string, string> = JSON.parse(await readFile(index, "utf8"));
  return Object.entries(listed).flatMap(([name, text]) => {
    const part = name.replace(/[[\]]/g, "");
    const file = join(dirname(index), "files", `noto-sans-sc-${part}-wght-normal.woff2`);
    return text.split(",").map((range) => {
      const [from = "", to = from] = range.replace("U+", "").split("-");
      return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), file };
    });
  });
}

/** Resolved from the working directory, because bundled pages have no packages beside them. */
function resolveFile(name: string): string {
  return createRequire(join(process.cwd(), "package.json")).resolve(name);
}

/** Copies the bytes, because a small file is part of a larger buffer. */
async function parse(bytes: Uint8Array): Promise<Font> {
  const { default: opentype } = await import("opentype.js");
  return opentype.parse(Uint8Array.from(bytes).buffer);
}
