/** The header `Prefer` (RFC 7240). */
import type { ApiContext } from "./router.ts";

/** True when the caller prefers this, among other preferences. */
export function prefers(c: ApiContext, preference: string): boolean {
  const preferences = (c.req.header("prefer") ?? "").toLowerCase().split(/[,;]/);
  return preferences.some((one) => one.replace(/\s/g, "") === preference);
}

async function readRows(c: ApiContext): Promise<unknown[]> {
  const limits = { itemsMax: bulkRowsMax, bytesMax: bytesMaxOf(c) };
  const rows = await readJsonArray(c.req.raw, limits);
  if (rows.length > 0) return rows;
  throw new AppError("unprocessable_entity", `Send 1 to ${bulkRowsMax} links per request.`);
}

interface LinkReferences {
  linkIds: string[];
  externalIds: string[];
}

function linkReferences(linkIds: string[] = [], externalIds: string[] = []): LinkReferences {
  const count = linkIds.length + externalIds.length;
  if (count === 0 || count > bulkRowsMax) {
    const message = `Send 1 to ${bulkRowsMax} ids in linkIds or externalIds.`;
    throw new AppError("unprocessable_entity", message);
  }
  return { linkIds, externalIds };
}

async function readReferences(
  c: ApiContext,
  query: { linkIds?: string | undefined; externalIds?: string | undefined },
): Promise<LinkReferences> {
  if (query.linkIds !== undefined || query.externalIds !== undefined) {
    return linkReferences(listOf(query.linkIds), listOf(query.externalIds));
  }
  if (!c.req.header("content-type")?.startsWith("application/json")) return linkReferences();
  const body = valueOrThrow(deleteManyBody.safeParse(await readJson(c)));
  return linkReferences(body.linkIds, body.externalIds);
}

function listOf(text = ""): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Accepted: the work goes on after the response. `path`: of the job, in the API. */
export function respondWithJob(c: ApiContext, path: string, job: object): Response {
  c.header("Location", `/api${path}`);
  c.header("Preference-Applied", "respond-async");
  return c.json(job, 202);
}
