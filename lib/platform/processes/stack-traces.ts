/**
 * Lines of sources in the stack traces of compiled files.
 *
 * Node does the same with --enable-source-maps, but reads the maps of all modules when they are loaded and keeps them:
 * 145 MB in the process of pages, and half of its start (bench/memory). Here a map is read when a trace is printed that
 * needs it, and only the positions are kept.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";
import { findPosition, type SourceMap } from "./mappings.ts";

const framesCachedMax = 1_000;
/** Location in a compiled file → in its source, or itself. */
const known = new LRUCache<string, string>({ max: framesCachedMax });
const location = /(?:file:\/\/)?(?:\/|[A-Za-z]:\\)[^()]*?\.m?js:\d+:\d+/;

/** Every stack trace of this process names lines of sources from here on. */
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
    return "Error"; // It has a toString of its own, which fails.
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
  // Packages are compiled without maps of their own.
  if (found === undefined || found.source.includes("node_modules/")) return undefined;
  return `${resolve(dirname(file), found.source)}:${found.line + 1}:${found.column + 1}`;
}

function readMap(file: string): SourceMap | undefined {
  try {
    const { sources, mappings }: SourceMap = JSON.parse(readFileSync(file, "utf8"));
    return { sources, mappings };
  } catch {
    return undefined; // Not compiled here.
  }
}
