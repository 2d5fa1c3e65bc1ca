/** The building blocks of the API's routers. One router per resource; index.ts mounts them. */
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { invalidRequest } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { OperatorScope } from "#lib/tenancy/operators";
import { type access, declareAccess } from "./access.ts";
import { errorShape } from "./errors.ts";
import { checkQuery, reportIgnored } from "./unknown-names.ts";

export interface ApiEnv {
  Bindings: {
    address: string;
    requestId: string;
    /** Only in requests below /api/admin. */
    operator?: OperatorScope;
  };
  Variables: {
    scope: WorkspaceScope;
    operator: OperatorScope;
  };
}

export type ApiContext = Context<ApiEnv>;

/** Where response headers are set: a context of the framework or a Node response. */
export interface HeaderTarget {
  header: (name: string, value: string, options?: { append?: boolean }) => void;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

type RouteRequest = NonNullable<RouteConfig["request"]>;
type Place = `${Method} /${string}`;

interface Asked {
  params?: z.ZodObject;
  query?: z.ZodObject | z.ZodPipe;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** A body whose unknown fields are listed in X-Fuxi-Ignored, see `reportIgnored`. */
  looseBody?: z.ZodObject;
  /** A body that the operation reads itself. */
  file?: NonNullable<RouteRequest["body"]>;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

interface Call<Request extends Asked> {
  c: ApiContext;
  scope: WorkspaceScope;
  operator: OperatorScope;
  params: Parsed<Request["params"]>;
  query: Parsed<Request["query"]>;
  body: Parsed<Request["looseBody"] extends z.ZodType ? Request["looseBody"] : Request["body"]>;
}

interface Described<Request extends Asked> {
  summary: string;
  description?: string;
  request?: Request;
}

/** Includes what the operation requires: `...access(…)`. */
type Operation<Request extends Asked> = ReturnType<typeof access> & Described<Request>;

interface Answered<Request extends Asked, Schema extends z.ZodType> {
  returns: readonly [status: ContentfulStatusCode, schema: Schema, description: string];
  run: (call: Call<Request>) => z.input<Schema> | Promise<z.input<Schema>>;
}

interface Responded {
  responses: RouteConfig["responses"];
}

interface Validation {
  success: boolean;
  data?: unknown;
  error?: { issues: readonly z.core.$ZodIssue[] };
}

/** A router whose requests are validated before their handler runs; an invalid one is a 422. */
export function newRouter(): OpenAPIHono<ApiEnv> {
  return new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
}

/** The operations of a resource, with their group in the document. Requests are validated like those of `newRouter`. */
export class Resource extends OpenAPIHono<ApiEnv> {
  readonly #group: string;

  constructor(group: string) {
    super({ defaultHook: refuseInvalid });
    this.#group = group;
  }

  answer<Request extends Asked, Schema extends z.ZodType>(
    operationId: string,
    at: Place,
    { returns, run, ...operation }: Operation<Request> & Answered<Request, Schema>,
  ): void {
    const [status] = returns;
    this.respond(operationId, at, {
      ...operation,
      responses: responses(...returns),
      run: async (call: Call<Request>) => call.c.json(await run(call), status),
    });
  }

  /** An operation that responds with something else, such as a file. */
  respond<Request extends Asked>(
    operationId: string,
    at: Place,
    {
      run,
      ...operation
    }: Operation<Request> &
      Responded & { run: (call: Call<Request>) => Response | Promise<Response> },
  ): void {
    const route = this.#route(operationId, at, operation);
    this.openapi(route, (c) => run(callOf(c, operation.request)));
  }

  /** An operation that is only documented here: its handler validates the request itself. */
  document<Request extends Asked>(
    operationId: string,
    at: Place,
    operation: Operation<Request> & Responded,
  ): void {
    this.openAPIRegistry.registerPath(this.#route(operationId, at, operation));
  }

  #route<Request extends Asked>(
    operationId: string,
    at: Place,
    { security, "x-fuxi-access": needed, request, ...described }: Operation<Request> & Responded,
  ): RouteConfig {
    const { method, path } = splitPlace(at);
    const route = path.replaceAll(/\{(.+?)\}/g, ":$1");
    declareAccess(method, route, needed);
    this.on(method, route, checkQuery(operationId, request?.query));
    return {
      ...{ method, path, operationId, ...(security ? { security } : {}) },
      ...{ "x-fuxi-access": needed, tags: [this.#group] },
      ...described,
      request: requestOf(request),
    };
  }
}

/** Operations for administrators. Middleware has already admitted the caller. Not in the API document. */
export class OfficeResource extends OpenAPIHono<ApiEnv> {
  constructor() {
    super({ defaultHook: refuseInvalid });
  }

  answer<Request extends Asked, Schema extends z.ZodType>(
    at: Place,
    { returns, run, request, ...described }: Described<Request> & Answered<Request, Schema>,
  ): void {
    const [status] = returns;
    const route = { ...splitPlace(at), ...described, request: requestOf(request) };
    this.on(
      route.method,
      route.path.replaceAll(/\{(.+?)\}/g, ":$1"),
      checkQuery(at, request?.query),
    );
    this.openapi({ ...route, responses: responses(...returns) }, async (c) =>
      c.json(await run(callOf(c, request)), status),
    );
  }
}

function splitPlace(at: Place): { method: Method; path: string } {
  const [method, path] = at.split(" ", 2);
  return { method: method as Method, path: path as string };
}

function requestOf({ body, looseBody, file, ...parts }: Asked = {}): RouteRequest {
  const schema = looseBody?.loose() ?? body;
  return { ...parts, ...(schema ? jsonBody(schema) : file ? { body: file } : {}) };
}

/** Sound because the route validates its requests with the same schemas. */
function callOf<Request extends Asked>(c: ApiContext, request: Request | undefined): Call<Request> {
  const valid = (part: string) => c.req.valid(part as never);
  const { looseBody } = request ?? {};
  if (looseBody) reportIgnored(c, looseBody, valid("json"));
  const { scope, operator } = c.var;
  const parsed = { params: valid("param"), query: valid("query"), body: valid("json") };
  return { c, scope, operator, ...parsed } as Call<Request>;
}

function refuseInvalid(result: Validation): void {
  if (result.success) return;
  throw invalidRequest(result.error?.issues ?? []);
}

/**
 * Names a shape in the API document. Creates the schema again, because older schemas lack the methods of the OpenAPI extension.
 */
export function named<Shape extends z.ZodRawShape>(name: string, { shape }: z.ZodObject<Shape>) {
  return z.object(shape).openapi(name);
}

/** The parameter of a path. `prefix` is that of its ids. */
export function idParams(prefix: string, description: string) {
  const example = `${prefix}_01KAYV5M3EJ2Q4R8ZC7D0N6XWB`;
  return z.object({ id: z.string().openapi({ description, example }) });
}

function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}

export function responses<Status extends number, Schema extends z.ZodType>(
  status: Status,
  schema: Schema,
  description: string,
) {
  const answer = { description, content: { "application/json": { schema } } };
  return { ...failures, ...asStatus(status, answer) };
}

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
  422: failure(
    "Fields have invalid values. The message names the first; `fields` has all of them.",
  ),
  429: failure(
    "Too many requests. Try again after the number of seconds in the Retry-After header.",
  ),
  500: failure("Something went wrong on the server."),
  503: failure(
    "The service is temporarily unavailable. Try again after the number of seconds in the Retry-After header.",
  ),
} as const;
