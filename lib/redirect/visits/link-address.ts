/** The address of a short link, as browsers have it. */
import type { IncomingMessage } from "node:http";
import { config } from "#lib/platform/config";
import { pathOf } from "./continuing.ts";
import { canonicalHost } from "./visitor.ts";

/** The short link as it was requested, without a token. */
export function addressOfLink(req: IncomingMessage, query: string): string {
  const header = req.headers.host ?? "";
  const port = /:\d+$/.exec(header)?.[0] ?? "";
  const { protocol } = new URL(config().FUXI_URL);
  const address = `${protocol}//${canonicalHost(header)}${port}${pathOf(req)}`;
  return query === "" ? address : `${address}?${query}`;
}
