/**
 * The types of the client, printed from the OpenAPI document in the form that openapi-fetch reads: `paths` and `components`.
 * An instance prints them when it serves the client, so it needs no compiler.
 */
import type { describeOperations } from "./index.ts";

export type ApiDescription = ReturnType<typeof describeOperations>;

/** The part of JSON Schema that the document uses. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

type Content = Readonly<Record<string, { schema?: Schema }>>;

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Operation {
  summary?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Readonly<Record<string, { content?: Content }>>;
}

interface Field {
  name: string;
  type: string;
  optional?: boolean;
  about?: string | undefined;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;
const places = ["query", "header", "path"] as const;
/** All failures have the same body. */
const failures = /^[45]/;

export function printClientTypes({ paths = {}, components }: ApiDescription): string {
  // The generator types the document as loosely as its standard permits.
  const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = JSON.parse(
    JSON.stringify(paths),
  );
  const schemas: Readonly<Record<string, Schema>> = JSON.parse(
    JSON.stringify(components?.schemas ?? {}),
  );
  const byPath = Object.entries(operations).map(([path, described]) => ({
    name: path,
    type: printFields(
      methods.flatMap((method): Field[] => {
        const operation = described[method];
        if (!operation) return [];
        return [{ name: method, type: printOperation(operation), about: operation.summary }];
      }),
    ),
  }));
  const bySchema = Object.entries(schemas).map(([name, schema]) => ({
    name,
    type: printSchema(schema),
    about: schema.description,
  }));
  return `interface Headers {
  [name: string]: unknown;
}

interface Failure {
  headers: Headers;
  content: { "application/json": components["schemas"]["Error"] };
}

export interface paths ${printFields(byPath)}

export interface components ${printFields([{ name: "schemas", type: printFields(bySchema) }])}
`;
}

function printOperation({ parameters = [], requestBody, responses = {} }: Operation): string {
  const groups = places.map((place): Field => {
    const group = parameters.filter((one) => one.in === place);
    const fields = group.map(({ name, required, description, schema = {} }) => ({
      name,
      type: printSchema(schema),
      optional: !required,
      about: description,
    }));
    const type = fields.length > 0 ? printFields(fields) : "never";
    return { name: place, type, optional: fields.every(({ optional }) => optional) };
  });
  const body = requestBody && {
    name: "requestBody",
    type: `{ content: ${printContent(requestBody.content)} }`,
    optional: requestBody.required !== true,
  };
  const answers = Object.entries(responses).map(([status, { content }]) => ({
    name: status,
    type: failures.test(status)
      ? "Failure"
      : `{ headers: Headers; content${content ? `: ${printContent(content)}` : "?: never"} }`,
  }));
  return printFields([
    { name: "parameters", type: printFields(groups) },
    ...(body ? [body] : []),
    { name: "responses", type: printFields(answers) },
  ]);
}

function printContent(content: Content): string {
  const types = Object.entries(content);
  return printFields(types.map(([name, { schema = {} }]) => ({ name, type: printSchema(schema) })));
}

function printSchema(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, type, items = {} } = schema;
  if ($ref !== undefined)
    return $ref.replace(/^#\/components\/schemas\/(.+)$/, `components["schemas"]["$1"]`);
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (choices) return unionOf(choices.map(printSchema));
  if (allOf) return allOf.map(printSchema).join(" & ");
  if (typeof type === "object")
    return unionOf(type.map((one) => printSchema({ ...schema, type: one })));
  if (type === "object") return printObject(schema);
  if (type === "array") return `Array<${printSchema(items)}>`;
  if (type === "integer") return "number";
  return type ?? "unknown";
}

function unionOf(types: readonly string[]): string {
  return `(${[...new Set(types)].join(" | ")})`;
}

/** Fields that an object has besides the named ones are left out, so that a typing error does not compile. */
function printObject({ properties, required = [], additionalProperties: others = true }: Schema) {
  if (!properties) {
    return `Record<string, ${typeof others === "object" ? printSchema(others) : "unknown"}>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: printSchema(schema),
    optional: !required.includes(name),
    about: schema.description,
  }));
  return printFields(fields);
}

function printFields(fields: readonly Field[]): string {
  const lines = fields.map(({ name, type, optional, about }) => {
    const comment = about === undefined ? "" : `/** ${about.replaceAll("*/", "*\\/")} */\n`;
    // Statuses are numbers for openapi-fetch.
    const shown = /^(\d+|[a-z]\w*)$/i.test(name) ? name : JSON.stringify(name);
    return `${comment}${shown}${optional ? "?" : ""}: ${type};`.replaceAll(/^/gm, "  ");
  });
  return `{\n${lines.join("\n")}\n}`;
}
