/** What a destination calls itself: fetched when somebody who writes a link asks for it, and kept nowhere. */
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { type Fetched, fetchPublic } from "#lib/platform/safe-fetch";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { isPage, PageReader } from "./page.ts";
import type { Suggestion } from "./schema.ts";

export { siteIcon } from "./icon.ts";

/** Heads of pages are shorter; what stands behind is not read. */
const bytesMax = 524_288;
const timeoutMs = 6_000;
const redirectsMax = 5;
/** In one process. */
export const suggestionsAtOnceMax = 16;
const retrySeconds = 5;

let running = 0;

export async function suggest(scope: WorkspaceScope, url: string): Promise<Suggestion> {
  assertMay(scope, "links.write");
  const attempt = await tryLimit("suggestionPerWorkspace", scope.workspaceId);
  if (!attempt.ok) throw tooMany(attempt.retryAfterSeconds);
  if (running >= suggestionsAtOnceMax) throw tooMany(retrySeconds);
  running += 1;
  try {
    return await readPage(url);
  } finally {
    running -= 1;
  }
}

async function readPage(url: string): Promise<Suggestion> {
  let page: PageReader | undefined;
  const fetched = await fetchPublic({
    url,
    accept: "text/html,application/xhtml+xml",
    limits: { timeoutMs, bytesMax, redirectsMax },
    open: (arrived) => {
      if (!isPage(arrived.type)) return undefined;
      const reader = new PageReader(arrived.url, arrived.type);
      page = reader;
      return (part) => reader.feed(part);
    },
  });
  if (fetched.ok && page) return page.suggestion;
  throw new AppError("unprocessable_entity", sentenceOf(fetched));
}

function sentenceOf(fetched: Fetched): string {
  if (fetched.ok) return sentences.unwanted;
  if (fetched.code !== "status") return sentences[fetched.code];
  return `The destination answered ${fetched.status} instead of a page.`;
}

const sentences = {
  unreachable: "The destination could not be reached. It must be a public page of the web.",
  slow: "The destination did not send its page in time.",
  redirects: "The destination redirects too often.",
  unwanted: "The destination is no page, so it has no title to suggest.",
};

function tooMany(seconds: number): AppError {
  const message =
    "Too many destinations were looked at. Wait a moment, or write the words yourself.";
  return new AppError("rate_limit_exceeded", message, seconds);
}
