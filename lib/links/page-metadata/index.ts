/** Title and description of a destination: fetched when an editor requests them, and not stored. */
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { type FetchOutcome, fetchPublic } from "#lib/platform/safe-fetch";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { readLook, type SiteLook } from "./icon.ts";
import { isPage, PageReader } from "./page.ts";
import type { Suggestion } from "./schema.ts";

export { siteIcon } from "./icon.ts";

/** Heads of pages are shorter; the rest is not read. */
const bytesMax = 524_288;
const timeoutMs = 6_000;
const redirectsMax = 5;
/** Per process. */
export const suggestionsAtOnceMax = 16;
const retrySeconds = 5;

let running = 0;

export async function suggest(scope: WorkspaceScope, url: string): Promise<Suggestion> {
  assertMay(scope, "links.write");
  return await inTurn(scope, () => readPage(url));
}

/** Theme color and icon of the first of some sites, given as origins, that has any; undefined: none has. */
export async function findLook(
  scope: WorkspaceScope,
  sites: readonly string[],
): Promise<(SiteLook & { site: string }) | undefined> {
  return await inTurn(scope, async () => {
    for (const site of sites) {
      const look = await readLook(site);
      if (look.color !== null || look.icon) return { ...look, site };
    }
    return undefined;
  });
}

/** Requests to other sites, limited per workspace and per process. */
async function inTurn<Found>(scope: WorkspaceScope, find: () => Promise<Found>): Promise<Found> {
  const attempt = await tryLimit("suggestionPerWorkspace", scope.workspaceId);
  if (!attempt.ok) throw tooMany(attempt.retryAfterSeconds);
  if (running >= suggestionsAtOnceMax) throw tooMany(retrySeconds);
  running += 1;
  try {
    return await find();
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
  throw new AppError("unprocessable_entity", messageOf(fetched));
}

function messageOf(fetched: FetchOutcome): string {
  if (fetched.ok) return messages.unwanted;
  if (fetched.code !== "status") return messages[fetched.code];
  return `url: The destination returned status ${fetched.status}.`;
}

const messages = {
  unreachable: "url: Can’t reach the destination. Use a public page.",
  slow: "url: The destination took too long to respond.",
  redirects: "url: The destination has too many redirects.",
  unwanted: "url: The destination isn’t a web page, so it has no metadata.",
};

function tooMany(seconds: number): AppError {
  const message = "Too many requests for page metadata. Try again in a moment.";
  return new AppError("rate_limit_exceeded", message, seconds);
}
