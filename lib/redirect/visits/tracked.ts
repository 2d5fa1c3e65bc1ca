/**
 * Links that track conversions, or whose domain does: the destination gets the id of the click, in the parameter that the `dub` package and its
 * scripts read. Only clicks of people have one, so that search engines find no address with an id, and a prefetch leaves
 * none behind: the visit itself gets it.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAgent } from "#lib/platform/request-info";
import { recordTracked } from "./click.ts";
import { withQuery } from "./forward.ts";
import { redirectHead } from "./head.ts";
import type { Target } from "./target.ts";
import { isPrefetch, userAgentOf } from "./visitor.ts";

const parameter = "dub_id";

/** The UUID of the click, 122 random bits; undefined: the visit is no click of a person. */
export function newClickId(req: IncomingMessage): string | undefined {
  if (req.method !== "GET" || isPrefetch(req.headers)) return undefined;
  return parseAgent(userAgentOf(req)).bot ? undefined : randomUUID();
}

/** The destination with the id of a click, which names its moment too: it is looked up by both. */
export function withClickId(url: string, now: number, id: string): string {
  return withQuery(url, `${parameter}=${now}-${id}`);
}

/** Redirects to a plain link that tracks conversions. False: this visit gets no id. */
export function sendTracked(
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  now: number,
  query: string,
): boolean {
  const id = newClickId(req);
  if (id === undefined) return false;
  res.writeHead(target.status, redirectHead(withClickId(target.url, now, id), target.indexed));
  recordTracked(res, target, { now, query, sentTo: "", id });
  return true;
}
