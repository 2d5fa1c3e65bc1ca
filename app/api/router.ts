/** The building blocks of the API's routers. One router per resource; index.ts mounts them. */
import {
  createRoute as createOpenApiRoute,
  OpenAPIHono,
  type RouteConfig,
  type z,
} from "@hono/zod-openapi";
import type { Context } from "hono";
import { AppError, issueMessage } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { OperatorScope } from "#lib/tenancy/operators";
import { type Access, declareAccess } from "./access.ts";
import { errorShape } from "./errors.ts";

export interface ApiEnv {
  Bindings: {
    /** The caller's address. */
    address: string;
    requestId: string;
    /** Of a request below /api/admin only. */
    operator?: OperatorScope;
  };
  Variables: {
    scope: WorkspaceScope;
    /** Of a request below /api/admin only. */
    operator: OperatorScope;
  };
}

export type ApiContext = Context<ApiEnv>;

/** Where headers of a response are set: a context of the framework, or a response of Node. */
export interface HeaderTarget {
  header: (name: string, value: string) => void;
}

interface Validation {
  success: boolean;
  data?: unknown;
  error?: { issues: readonly z.core.$ZodIssue[] };
}

/** A route of the document, with what it needs: `...access(…)`. */
export function createRoute<
  Path extends string,
  Route extends Omit<RouteConfig, "path"> & { path: Path; "x-fuxi-access": Access },
>(route: Route) {
  const created = createOpenApiRoute<Path, Route>(route);
  declareAccess(route.method, created.getRoutingPath(), route["x-fuxi-access"]);
  return created;
}

/** A router whose requests are validated before their handler runs; an invalid one is a 422. */
export function newRouter(): OpenAPIHono<ApiEnv> {
  return new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
}

function refuseInvalid(result: Validation): void {
  if (result.success) return;
  const [issue] = result.error?.issues ?? [];
  throw new AppError("unprocessable_entity", issueMessage(issue));
}

const ignoredNamesMax = 20;
const ignoredCharsMax = 64;

/**
 * For a route whose body is `schema.loose()`: unknown fields are listed in X-Fuxi-Ignored, because newer SDKs send
 * newer fields. Endpoints without a counterpart in Dub use `z.strictObject` instead, which refuses them.
 */
export function reportIgnored(c: HeaderTarget, schema: z.ZodObject, data: unknown): void {
  const names = unknownNames(data, schema.shape);
  if (names.length === 0) return;
  // Names come from the client: only characters allowed in a header are kept.
  const shown = names.map((name) => name.slice(0, ignoredCharsMax).replace(/[^\w.-]/g, "?"));
  c.header("X-Fuxi-Ignored", shown.join(", "));
}

/**
 * The names in a body, or in a list of bodies, that a schema does not have; without duplicates, and limited in number.
 */
function unknownNames(data: unknown, known: object): string[] {
  const bodies: readonly unknown[] = Array.isArray(data) ? data : [data];
  const names = new Set<string>();
  for (const body of bodies) {
    for (const name in Object(body)) {
      if (names.size === ignoredNamesMax) return [...names];
      if (!Object.hasOwn(known, name)) names.add(name);
    }
  }
  return [...names];
}

/** `request` of a route with a JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}

/** `responses` of a route: its result, and the errors that every route has. */
export function responses<Status extends number, Schema extends z.ZodType>(
  status: Status,
  schema: Schema,
  description: string,
) {
  const answer = { description, content: { "application/json": { schema } } };
  return { ...failures, ...asStatus(status, answer) };
}

/** `responses` of a route that returns a file of one of these types. */
export function fileResponses(types: readonly string[], description: string) {
  const schema = { type: "string" as const, format: "binary" };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { ...failures, ...asStatus(200, { description, content }) };
}

/** Sound because the object is created here with this one key. */
function asStatus<Status extends number, Answer>(
  status: Status,
  answer: Answer,
): { [Name in Status]: Answer } {
  return { [status]: answer } as { [Name in Status]: Answer };
}

function failure(description: string) {
  return { description, content: { "application/json": { schema: errorShape } } };
}

const failures = {
  400: failure("The request can’t be read."),
  401: failure("The API key is missing, unknown, expired or revoked."),
  403: failure("The API key, the role or the plan doesn’t allow this."),
  404: failure("The resource doesn’t exist in this workspace."),
  409: failure("A value that must be unique is already taken."),
  422: failure("A field has an invalid value. The message names the field."),
  429: failure(
    "Too many requests. Try again after the number of seconds in the Retry-After header.",
  ),
  500: failure("Something went wrong on the server."),
  503: failure(
    "The service is temporarily unavailable. Try again after the number of seconds in the Retry-After header.",
  ),
} as const;
