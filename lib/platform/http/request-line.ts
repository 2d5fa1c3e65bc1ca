/** What a request asks for, in the one form that everybody else reads. */
import type { IncomingMessage } from "node:http";

const slash = 0x2f;
const wholeAddress = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i;

/**
 * Leaves a path in `url`. A client that takes us for its proxy sends the whole address (`GET http://go.example/x`): its
 * host then counts instead of the header. False: what is asked for has no path, such as `*` or another scheme.
 */
export function reduceToPath(req: IncomingMessage): boolean {
  const url = req.url ?? "";
  if (url.charCodeAt(0) === slash) return true;
  const [, host, rest = ""] = wholeAddress.exec(url) ?? [];
  // Of two Hosts (joined, see `serve`) each may have been believed by somebody before us.
  if (host === undefined || req.headers.host?.includes(",")) return false;
  req.headers.host = host;
  req.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}
