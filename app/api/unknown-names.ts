/**
 * Fields and query parameters that an operation doesn't have. Newer SDKs of Dub send newer names, so operations that such a client
 * may call name them in X-Fuxi-Ignored. All others refuse them, because ignoring a filter would answer another question.
 */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { AppError } from "#lib/platform/errors";
import type { ApiEnv, HeaderTarget } from "./router.ts";

/** Operations with a counterpart in Dub, and the image that social networks fetch with parameters of their own. */
export const tolerantOperations: ReadonlySet<string> = new Set([
  ...["createLink", "listLinks", "countLinks", "findLink", "getLink", "upsertLink"],
  ...["editLink", "replaceLink", "deleteLink"],
  ...["bulkCreateLinks", "bulkUpdateLinks", "bulkDeleteLinks"],
  ...["createDomain", "listDomains", "getDomain", "editDomain", "deleteDomain"],
  ...["verifyDomain", "makeDomainPrimary", "setPrimaryDomain"],
  ...["createFolder", "listFolders", "getFolder", "editFolder", "deleteFolder"],
  ...["createTag", "listTags", "editTag", "deleteTag"],
  ...["askAnalytics", "listEvents", "trackOpen", "trackLead", "trackSale"],
  ...["listCustomers", "getCustomer", "editCustomer", "eraseCustomer"],
  ...["getWorkspace", "editWorkspace", "getQrCode", "getSocialImage"],
]);

type QuerySchema = z.ZodObject | z.ZodPipe;

/** Middleware for the requests of an operation. */
export function checkQuery(
  operationId: string,
  schema: QuerySchema | undefined,
): MiddlewareHandler<ApiEnv> {
  const known = schema ? shapeOf(schema) : {};
  const tolerant = tolerantOperations.has(operationId);
  return async (c, next) => {
    if (!c.req.url.includes("?")) return await next();
    const { workspace, ...sent } = c.req.query();
    // Addresses of downloads name the workspace of a session there, see `scopeOfCaller`.
    const isSession = c.req.header("authorization") === undefined;
    const given = workspace === undefined || isSession ? sent : { ...sent, workspace };
    const unknown = unknownNames(given, known);
    if (!tolerant) refuseNames(unknown, Object.keys(known));
    await next();
    // A handler may return a response of its own, without the headers that were set before.
    reportNames(c, unknown);
  };
}

function shapeOf(schema: QuerySchema): object {
  if (schema instanceof z.ZodObject) return schema.shape;
  const { in: given } = schema.def;
  if (given instanceof z.ZodObject || given instanceof z.ZodPipe) return shapeOf(given);
  throw new Error("A query is an object, or a pipe that starts with one");
}

function refuseNames([name]: readonly string[], known: readonly string[]): void {
  if (name === undefined) return;
  const shown = JSON.stringify(name.slice(0, shownCharsMax));
  const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
  const hint = nearest === undefined ? "This call has none." : `Did you mean "${nearest}"?`;
  throw new AppError("unprocessable_entity", `Unknown query parameter ${shown}. ${hint}`);
}

/** How many letters must be added, removed or replaced (Levenshtein). Case doesn't count. */
function distance(sent: string, known: string): number {
  const letters = sent.slice(0, shownCharsMax).toLowerCase();
  let row = Array.from({ length: known.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...letters].entries()) {
    let left = line + 1;
    row = row.map((above, at) => {
      if (at === 0) return left;
      const isSame = known[at - 1]?.toLowerCase() === letter;
      const replaced = (row[at - 1] ?? 0) + (isSame ? 0 : 1);
      left = Math.min(above + 1, left + 1, replaced);
      return left;
    });
  }
  return row.at(-1) ?? 0;
}

const namesMax = 20;
const shownCharsMax = 64;

/** For a route whose body is `schema.loose()`. Operations without a counterpart in Dub use `z.strictObject` instead. */
export function reportIgnored(c: HeaderTarget, schema: z.ZodObject, data: unknown): void {
  reportNames(c, unknownNames(data, schema.shape));
}

/** A second call adds its names: a request may have both unknown parameters and unknown fields. */
function reportNames(c: HeaderTarget, names: readonly string[]): void {
  if (names.length === 0) return;
  // Names come from the client: only characters allowed in a header are kept.
  const shown = names.map((name) => name.slice(0, shownCharsMax).replace(/[^\w.-]/g, "?"));
  c.header("X-Fuxi-Ignored", shown.join(", "), { append: true });
}

function unknownNames(data: unknown, known: object): string[] {
  const bodies: readonly unknown[] = Array.isArray(data) ? data : [data];
  const names = new Set<string>();
  for (const body of bodies) {
    for (const name in Object(body)) {
      if (names.size === namesMax) return [...names];
      if (!Object.hasOwn(known, name)) names.add(name);
    }
  }
  return [...names];
}
