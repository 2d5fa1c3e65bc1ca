/** Normalizes the target of a request. */
import type { IncomingMessage } from "node:http";

const slash = 0x2f;
const absoluteUrl = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i;

/**
 * Reduces `url` to a path. A client that uses this server as its proxy sends the absolute URL (`GET
 * http://go.example/x`): its host then replaces the header. False: the target has no path, such as `*` or another
 * scheme.
 */
export function reduceToPath(req: IncomingMessage): boolean {
  const url = req.url ?? "";
  if (url.charCodeAt(0) === slash) return true;
  const [, host, rest = ""] = absoluteUrl.exec(url) ?? [];
  // Of two Hosts (joined, see `serve`), a proxy in front may have used either.
  if (host === undefined || req.headers.host?.includes(",")) return false;
  req.headers.host = host;
  req.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}
