/** Title and description of a destination: fetched when an editor requests them, and not stored. */
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import type { Sender } from "#lib/platform/parsers";
import type { FetchOutcome } from "#lib/platform/safe-fetch";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { fetchHead } from "./head.ts";
import { readLook, type SiteLook } from "./icon.ts";
import type { Suggestion } from "./schema.ts";

export { pageParser } from "./head.ts";

export { siteIcon } from "./icon.ts";

const bytesMax = 524_288;
const timeoutMs = 6_000;
const redirectsMax = 5;
export const suggestionsAtOnceMax = 16;
const retrySeconds = 5;

let running = 0;

export async function suggest(
  scope: WorkspaceScope,
  url: string,
  signal?: AbortSignal,
): Promise<Suggestion> {
  assertMay(scope, "links.write");
  return await inTurn(scope, () => readPage(url, { workspaceId: scope.workspaceId, signal }));
}

export async function findLook(
  scope: WorkspaceScope,
  sites: readonly string[],
): Promise<(SiteLook & { site: string }) | undefined> {
  return await inTurn(scope, async () => {
    for (const site of sites) {
      const look = await readLook(site, { workspaceId: scope.workspaceId });
      if (look.color !== null || look.icon) return { ...look, site };
    }
    return undefined;
  });
}

/** Limits requests to other sites per workspace and per process. */
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

async function readPage(url: string, sender: Sender): Promise<Suggestion> {
  const fetched = await fetchHead(url, { timeoutMs, bytesMax, redirectsMax }, sender);
  if (!fetched.ok) throw new AppError("unprocessable_entity", messageOf(fetched));
  const { title, description, image } = fetched.head;
  return { title, description, image };
}

function messageOf(failed: Extract<FetchOutcome, { ok: false }>): string {
  if (failed.code !== "status") return messages[failed.code];
  return `url: The destination returned status ${failed.status}.`;
}

const messages = {
  unreachable: "url: Can’t reach the destination. Use a public page.",
  slow: "url: The destination took too long to respond.",
  redirects: "url: The destination has too many redirects.",
  unwanted: "url: The destination isn’t a web page, so it has no metadata.",
};

function tooMany(seconds: number): AppError {
  const message = "Too many requests for page metadata. Try again in a moment.";
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds: seconds });
}
