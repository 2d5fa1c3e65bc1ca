/** Bulk calls on links. Each row has its own outcome; a refused one does not affect others. */
import { z } from "@hono/zod-openapi";
import { createMany, findBulkJob, findBulkOutcomes, startBulkJob } from "#lib/links/bulk-jobs";
import { bulkJobShape } from "#lib/links/bulk-jobs/schema";
import type { CreateOptions } from "#lib/links/creating";
import { bulkRowsMax } from "#lib/links/creating/schema";
import { deleteLinksInBulk, editLinksInBulk, type LeftLink } from "#lib/links/editing";
import { deleteManyBody, editManyBody } from "#lib/links/editing/schema";
import { briefShape, createLinkBody } from "#lib/links/fields/schema";
import { AppError, errorCodes } from "#lib/platform/errors";
import { access } from "./access.ts";
import { bytesMaxOf } from "./body.ts";
import { idempotencyHeader, idempotencyOf } from "./idempotency.ts";
import { readJsonArray } from "./large-body.ts";
import { asAppError } from "./link-errors.ts";
import {
  assertSomeSaved,
  presentEdited,
  presentLeft,
  presentRows,
  respondInParts,
} from "./links-bulk-response.ts";
import { link } from "./links-read.ts";
import { lookAlikeNote, reportAllLookAlikes } from "./look-alikes.ts";
import { preferHeader, prefers, respondWithJob } from "./prefer.ts";
import { readJson, valueOrThrow } from "./read-json.ts";
import { type ApiContext, idParams, named, Resource, responses } from "./router.ts";
import { reportIgnored } from "./unknown-names.ts";

const unknownListedMax = 20;
const unknownCharsMax = 64;
const checkedRowsMax = 1_000;

const failure = z
  .object({ link: z.unknown(), error: z.string(), code: z.enum(errorCodes) })
  .openapi("LinkFailure");
const brief = named("LinkBrief", briefShape);

const looseEditMany = editManyBody.extend({ data: editManyBody.shape.data.loose() });

const job = named("BulkJob", bulkJobShape);
const jobFailure = z
  .object({ row: z.number(), message: z.string(), code: z.string() })
  .openapi("BulkJobFailure");

const jobParams = idParams("job", "The id of the background job.");

export const linksBulk = new Resource("Links");

// Documented only. Parsing ten thousand rows with the schema in one go would block visits.
linksBulk.document("bulkCreateLinks", "post /links/bulk", {
  ...access("links.write", { limitedKeys: true }),
  summary: `Create up to ${bulkRowsMax} links`,
  description: `Use \`Prefer: return=minimal\` to get only the id, key and shortLink of each link, and \`Prefer: respond-async\` to process the request in the background. ${lookAlikeNote}`,
  request: {
    headers: idempotencyHeader.extend(preferHeader.shape),
    body: z.array(createLinkBody.loose()).max(bulkRowsMax),
  },
  responses: {
    ...responses(
      200,
      z.array(z.union([link, brief, failure])),
      "The created links in request order, followed by the rejected rows.",
    ),
    202: {
      description: "The background job.",
      content: { "application/json": { schema: job } },
    },
  },
});
linksBulk.post("/links/bulk", async (c) => {
  const rows = await readRows(c);
  // Newer SDKs send a new field in every row, so a sample is enough.
  reportIgnored(c, createLinkBody, rows.slice(0, checkedRowsMax));
  const repeat = await idempotencyOf(c, rows);
  await reportAllLookAlikes(c, rows);
  const scope = c.get("scope");
  if (prefers(c, "respond-async")) return await answerWithJob(c, rows, repeat);
  const outcomes = await createMany(scope, rows, { source: "api", prefill: false, repeat });
  assertSomeSaved(outcomes);
  return respondInParts(c, presentRows(rows, outcomes, prefers(c, "return=minimal")));
});

linksBulk.document("bulkUpdateLinks", "patch /links/bulk", {
  ...access("links.write", { limitedKeys: true }),
  summary: `Update up to ${bulkRowsMax} links`,
  description: `Applies the same changes to all links. Links that couldn’t be updated follow with the reason; if none could be updated, the request fails. Unknown ids are listed in the X-Fuxi-Unknown header. ${lookAlikeNote}`,
  request: { body: looseEditMany },
  responses: responses(
    200,
    z.array(z.union([link, failure])),
    "The updated links, followed by those that couldn’t be updated.",
  ),
});
linksBulk.patch("/links/bulk", async (c) => {
  // Parsed twice: once to report unknown fields, and once without them, so that they don’t reach the links.
  const json = await readJson(c);
  reportIgnored(c, editManyBody.shape.data, valueOrThrow(looseEditMany.safeParse(json)).data);
  const body = valueOrThrow(editManyBody.safeParse(json));
  await reportAllLookAlikes(c, [body.data]);
  const { linkIds, externalIds } = linkReferences(body.linkIds, body.externalIds);
  const done = await editLinksInBulk(c.get("scope"), linkIds, externalIds, body.data);
  const [first] = done.refused;
  if (first && done.shown.length === 0) throw asAppError(first);
  // Sent in a header, because strict clients don’t accept a new field for links that were deleted in the meantime.
  if (done.unknown.length > 0) c.header("X-Fuxi-Unknown", namesOf(done.unknown));
  return respondInParts(c, presentEdited(done.shown, done.refused));
});

linksBulk.answer("getBulkJob", "get /links/bulk/{id}", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get a background job",
  description: "Its results can be read once `state` is done.",
  request: { params: jobParams },
  returns: [200, job, "The job."],
  run: async ({ scope, params: { id } }) => {
    const found = await findBulkJob(scope, id);
    if (!found) throw missingJob(id);
    return found;
  },
});

linksBulk.document("getBulkOutcomes", "get /links/bulk/{id}/outcomes", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get the results of a background job",
  description: "Returns one result per link, in the order of the request: the link, or the error.",
  request: { params: jobParams },
  responses: responses(
    200,
    z.array(z.union([brief, jobFailure])),
    "The created links in request order, followed by the rejected rows.",
  ),
});
linksBulk.get("/links/bulk/:id/outcomes", async (c) => {
  const { id } = c.req.param();
  const found = await findBulkJob(c.get("scope"), id);
  if (!found) throw missingJob(id);
  const outcomes = await findBulkOutcomes(c.get("scope"), id);
  if (outcomes === undefined) {
    const message = `Job "${id}" isn’t done yet (status: ${found.status}). Try again later.`;
    throw new AppError("conflict", message);
  }
  c.header("Content-Type", "application/json");
  return c.body(outcomes, 200);
});

function missingJob(id: string): AppError {
  return new AppError("not_found", `Job "${id}" not found in this workspace.`);
}

linksBulk.answer("bulkDeleteLinks", "delete /links/bulk", {
  ...access("links.write", { limitedKeys: true }),
  summary: `Delete up to ${bulkRowsMax} links`,
  description:
    "Send the ids as query parameters or, for many links, as a JSON body: `{linkIds, externalIds}`.",
  request: {
    query: z.object({
      linkIds: z.string().optional().openapi({ description: "Comma-separated ids." }),
      externalIds: z.string().optional().openapi({ description: "Comma-separated external ids." }),
    }),
  },
  returns: [
    200,
    z.object({ deletedCount: z.number(), errors: z.array(failure).optional() }),
    "The number of deleted links, which stop working within a second. `errors` lists those that were not deleted, if any.",
  ],
  run: async ({ c, scope, query }) => {
    const { linkIds, externalIds } = await readReferences(c, query);
    const { deleted, left } = await deleteLinksInBulk(scope, linkIds, externalIds);
    const errors = left.map(presentLeft);
    return { deletedCount: deleted, ...(errors.length > 0 ? { errors } : {}) };
  },
});

async function answerWithJob(
  c: ApiContext,
  rows: readonly unknown[],
  repeat: CreateOptions["repeat"],
): Promise<Response> {
  const started = await startBulkJob(c.get("scope"), rows, repeat);
  if (!started.ok) throw asAppError(started);
  return respondWithJob(c, `/links/bulk/${started.job.id}`, started.job);
}

/** Names come from the client: only characters allowed in a header are kept. */
function namesOf(left: readonly LeftLink[]): string {
  return left
    .slice(0, unknownListedMax)
    .map(({ link }) => ("id" in link ? link.id : `ext_${link.externalId}`))
    .map((name) => name.slice(0, unknownCharsMax).replace(/[^\w.-]/g, "?"))
    .join(", ");
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
