/** For tests of the API: whether an answer has the shape that the OpenAPI document promises. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CallAnswer } from "./api-callers.ts";
import type { ApiDocument, JsonSchema, Operation } from "./api-operations.ts";

type CheckAnswer = (operation: Operation, answer: CallAnswer) => string | undefined;

/** Undocumented fields are problems, too: a generated client does not know them. */
export function openAnswerCheck(document: ApiDocument): CheckAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schemas = Object.entries(document.components.schemas);
  const components = {
    schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, open(schema)])),
  };
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...closed(schema), components });
    compiled.set(schema, validate);
    return validate;
  };
  return ({ path, method, id }, { status, text, headers }) => {
    const answer = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (!answer) return `${id} ${status} is not documented`;
    const [type = ""] = headers.get("content-type")?.split(";") ?? [];
    const schema = answer.content?.[type]?.schema;
    if (!schema) return answer.content && `${id} ${status} ${type} is not documented`;
    if (type !== "application/json") return undefined;
    const validate = validatorOf(schema);
    if (validate(JSON.parse(text))) return undefined;
    const [first] = validate.errors ?? [];
    return `${id} ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
  };
}

/** The same without fields that no part of it names. What says nothing of its fields may have any. */
function closed(schema: JsonSchema): JsonSchema {
  const { $ref, properties, allOf, anyOf, oneOf } = schema;
  const isNamed = [$ref, properties, allOf, anyOf, oneOf].some((part) => part !== undefined);
  return { ...open(schema), ...(isNamed && { unevaluatedProperties: false }) };
}

/** Parts of a combination describe one object together: only what is in them is closed. */
function open(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties: more } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, closed) }),
    ...(items && { items: closed(items) }),
    ...(typeof more === "object" && { additionalProperties: closed(more) }),
    ...(schema.allOf && { allOf: schema.allOf.map(open) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(open) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(open) }),
  };
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
