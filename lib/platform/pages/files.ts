/** Serves files that the build compressed. Requested ones stay in memory, about a megabyte. */
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";

export const compressedSuffix = ".br";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=UTF-8",
  ".js": "application/javascript; charset=UTF-8",
};
const yearSeconds = 31_536_000;
const takesBrotli = /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?=[\s,;]|$)/i;

export function isPageFile(name: string): boolean {
  return extname(name) in types;
}

export type PageFiles = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Returns a function that answers requests for files of `folder` below `path`, or returns false. */
export function openPageFiles(folder: string, path: string): PageFiles {
  const names = new Set(
    readdirSync(folder)
      .filter((name) => name.endsWith(compressedSuffix))
      .map((name) => name.slice(0, -compressedSuffix.length))
      .filter(isPageFile),
  );
  const held = new Map<string, Buffer>();

  function bytesOf(name: string): Buffer | undefined {
    const known = held.get(name);
    if (known) return known;
    try {
      const bytes = readFileSync(join(folder, `${name}${compressedSuffix}`));
      held.set(name, bytes);
      return bytes;
    } catch {
      return undefined;
    }
  }

  function nameOf({ method, url = "", headers }: IncomingMessage): string | undefined {
    if (!(url.startsWith(path) && (method === "GET" || method === "HEAD"))) return undefined;
    const name = url.slice(path.length).split("?", 1)[0] ?? "";
    const isThere = names.has(name) && takesBrotli.test(headers["accept-encoding"] ?? "");
    return isThere ? name : undefined;
  }

  return (req, res) => {
    const name = nameOf(req);
    const bytes = name === undefined ? undefined : bytesOf(name);
    if (name === undefined || !bytes) return false;
    const etag = `"${name}"`;
    res.setHeader("Cache-Control", `public, max-age=${yearSeconds}, immutable`);
    res.setHeader("ETag", etag);
    res.setHeader("Vary", "Accept-Encoding");
    if (req.headers["if-none-match"]?.includes(etag)) {
      res.writeHead(304).end();
      return true;
    }
    res.writeHead(200, {
      "Content-Type": types[extname(name)],
      "Content-Encoding": "br",
      "Content-Length": bytes.length,
    });
    res.end(req.method === "HEAD" ? undefined : bytes);
    return true;
  };
}
