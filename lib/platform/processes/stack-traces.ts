/**
 * Names source lines in the stack traces of compiled files.
 *
 * Node's --enable-source-maps reads and keeps the maps of all modules: 145 MB in the page process,
 * and half of its startup time (bench/memory). Here a map is read only when a trace needs it, and
 * only positions are kept.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";
import { findPosition, type SourceMap } from "./mappings.ts";

const framesCachedMax = 1_000;
const known = new LRUCache<string, string>({ max: framesCachedMax });
const location = /(?:file:\/\/)?(?:\/|[A-Za-z]:\\)[^()]*?\.m?js:\d+:\d+/;

export function nameSourceLines(): void {
  Error.prepareStackTrace = (error, frames) => {
    const maps = new Map<string, SourceMap | undefined>();
    const lines = frames.map((frame) => `\n    at ${inSource(String(frame), maps)}`);
    return headOf(error) + lines.join("");
  };
}

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "Error"; // its own toString fails
  }
}

function inSource(frame: string, maps: Map<string, SourceMap | undefined>): string {
  const [compiled] = location.exec(frame) ?? [];
  if (compiled === undefined) return frame;
  let source = known.get(compiled);
  if (source === undefined) {
    source = sourceOf(compiled, maps) ?? compiled;
    known.set(compiled, source);
  }
  return frame.replace(compiled, () => source);
}

function sourceOf(compiled: string, maps: Map<string, SourceMap | undefined>): string | undefined {
  const [, place = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(compiled) ?? [];
  const file = place.startsWith("file:") ? fileURLToPath(place) : place;
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  const map = maps.get(file);
  if (map === undefined) return undefined;
  const found = findPosition(map, Number(line) - 1, Number(column) - 1);
  if (found === undefined || found.source.includes("node_modules/")) return undefined;
  return `${resolve(dirname(file), found.source)}:${found.line + 1}:${found.column + 1}`;
}

function readMap(file: string): SourceMap | undefined {
  try {
    const { sources, mappings }: SourceMap = JSON.parse(readFileSync(file, "utf8"));
    return { sources, mappings };
  } catch {
    return undefined;
  }
}
