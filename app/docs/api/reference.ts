/** Turns the OpenAPI document into readable documentation: resources and their operations, with parameters and responses. */
import { z } from "zod";

const anything = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema: anything.optional() })).optional();
const parameterShape = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: anything.default({}),
});
const operationShape = z.object({
  operationId: z.string(),
  summary: z.string().default(""),
  description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  parameters: z.array(parameterShape).default([]),
  requestBody: z.object({ content }).optional(),
  security: z.array(anything).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content })),
});
const methods = ["get", "post", "put", "patch", "delete"] as const;
const documentShape = z.object({
  servers: z.array(z.object({ url: z.string() })).default([]),
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })).default([]),
  components: z
    .object({ schemas: z.record(z.string(), anything).default({}) })
    .default({ schemas: {} }),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), operationShape)),
});
type OpenApiDocument = z.output<typeof documentShape>;
type JsonSchema = Record<string, unknown>;

export interface FieldDoc {
  name: string;
  type: string;
  required: boolean;
  description: string | undefined;
}

export interface OperationDoc {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  parameters: (FieldDoc & { in: "path" | "query" | "header" })[];
  body: FieldDoc[];
  /** Who may call it: API keys, only people in the dashboard, or anyone without a key. */
  caller: "key" | "person" | "anyone";
  example: unknown;
  answersText: boolean;
  answers: { status: string; description: string; type: string | undefined }[];
}

export interface ResourceDoc {
  name: string;
  description: string;
  operations: OperationDoc[];
}

export interface ApiReference {
  server: string;
  resources: ResourceDoc[];
}

export function readReference(json: unknown): ApiReference {
  const document = documentShape.parse(json);
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    methods.flatMap((method) => {
      const operation = byMethod[method];
      if (!operation) return [];
      return [{ tag: operation.tags[0], doc: operationDoc(document, method, path, operation) }];
    }),
  );
  return {
    server: document.servers[0]?.url ?? "",
    resources: document.tags.flatMap(({ name, description }) => {
      const own = operations.filter(({ tag }) => tag === name).map(({ doc }) => doc);
      // Sorted by path, so that operations on a collection come before those on one object, whose path continues with a brace.
      own.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
      return own.length > 0 ? [{ name, description, operations: own }] : [];
    }),
  };
}

function operationDoc(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: z.output<typeof operationShape>,
): OperationDoc {
  const schema = jsonSchemaOf(operation.requestBody?.content);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    parameters: operation.parameters.flatMap((parameter) => {
      if (parameter.in === "cookie") return [];
      const { name, required, description } = parameter;
      const type = typeName(document, parameter.schema);
      return [{ name, in: parameter.in, required, description, type }];
    }),
    body: schema ? fieldsOf(document, schema) : [],
    caller: callerOf(operation.security),
    example: schema ? exampleOf(document, schema) : undefined,
    answersText: !("application/json" in (operation.responses["200"]?.content ?? {})),
    answers: Object.entries(operation.responses).map(([status, answer]) => {
      const answered = jsonSchemaOf(answer.content);
      const type = answered ? typeName(document, answered) : undefined;
      return { status, description: answer.description, type };
    }),
  };
}

/** Operations that declare no security need a key, which is the default of the document. */
function callerOf(security: JsonSchema[] | undefined): OperationDoc["caller"] {
  if (security?.length === 0) return "anyone";
  return security?.some((one) => "session" in one) ? "person" : "key";
}

function jsonSchemaOf(found: z.output<typeof content>): JsonSchema | undefined {
  return found?.["application/json"]?.schema;
}

function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = refOf(schema);
  const found = name ? document.components.schemas[name] : undefined;
  return found ?? schema;
}

function refOf(schema: JsonSchema): string | undefined {
  const ref = schema["$ref"];
  return typeof ref === "string" ? ref.split("/").at(-1) : undefined;
}

function schemasIn(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter((one) => anything.safeParse(one).success) : [];
}

function schemaIn(value: unknown): JsonSchema {
  return anything.safeParse(value).data ?? {};
}

const namesShownMax = 8;

/** A type in a few words: `string`, `"red" | "blue"`, `Link[]`. */
function typeName(document: OpenApiDocument, schema: JsonSchema): string {
  const ref = refOf(schema);
  if (ref) return ref;
  if (Array.isArray(schema["enum"]))
    return joined(schema["enum"].map((one) => JSON.stringify(one)));
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const choices = [...schemasIn(schema["anyOf"]), ...schemasIn(schema["oneOf"])];
  if (choices.length > 0) return joined(choices.map((one) => typeName(document, one)));
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"] ?? "any"];
  return joined(types.map((type) => plainName(document, schema, String(type))));
}

function plainName(document: OpenApiDocument, schema: JsonSchema, type: string): string {
  if (type !== "array") return type;
  const item = typeName(document, schemaIn(schema["items"]));
  return item.includes(" ") ? `(${item})[]` : `${item}[]`;
}

function joined(names: string[]): string {
  // Null means "none" everywhere, so the types don’t repeat it.
  const distinct = [...new Set(names)].filter(
    (name, _, all) => name !== "null" || all.length === 1,
  );
  const shown = distinct.slice(0, namesShownMax).join(" | ");
  return distinct.length > namesShownMax ? `${shown} | …` : shown;
}

function fieldsOf(document: OpenApiDocument, schema: JsonSchema): FieldDoc[] {
  const item = schema["type"] === "array" ? schemaIn(schema["items"]) : schema;
  const resolved = resolve(document, item);
  const required = Array.isArray(resolved["required"]) ? resolved["required"] : [];
  return Object.entries(schemaIn(resolved["properties"])).map(([name, value]) => {
    const field = schemaIn(value);
    const { description } = field;
    return {
      name,
      type: typeName(document, field),
      required: required.includes(name),
      description: typeof description === "string" ? description : undefined,
    };
  });
}

const exampleValues: Record<string, unknown> = {
  url: "https://example.com/autumn?edition=2",
  name: "Newsletter",
  title: "The autumn catalogue",
  slug: "go.example.com",
  color: "blue",
  linkIds: ["link_01M7YB8HBWDVSTMYVK88WTTPD5"],
  workspaceId: "ws_01M7YB8HBWDVSTMYVK88WTTPD5",
};

function exampleOf(document: OpenApiDocument, schema: JsonSchema): unknown {
  if (schema["type"] === "array") return [exampleOf(document, schemaIn(schema["items"]))];
  const properties = Object.entries(schemaIn(resolve(document, schema)["properties"]));
  const fields = fieldsOf(document, schema);
  const needed = new Set(fields.filter(({ required }) => required).map(({ name }) => name));
  if (needed.size === 0) {
    const known = fields.find(({ name }) => name in exampleValues);
    if (known) needed.add(known.name);
  }
  return Object.fromEntries(
    properties
      .filter(([name]) => needed.has(name))
      .map(([name, value]) => [name, exampleValue(document, name, schemaIn(value))]),
  );
}

function exampleValue(document: OpenApiDocument, name: string, schema: JsonSchema): unknown {
  if (name in exampleValues) return exampleValues[name];
  const type = typeName(document, schema);
  if (type.endsWith("[]")) return [];
  if (type.startsWith("boolean")) return true;
  if (type.startsWith("number") || type.startsWith("integer")) return 1;
  return schema["properties"] ? exampleOf(document, schema) : "…";
}
