/** For tests of the API: the operations of its OpenAPI document. */
import type { Access } from "../app/api/access.ts";

export interface Parameter {
  in: string;
  name: string;
  schema?: JsonSchema;
}

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  unevaluatedProperties?: boolean;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  access: Access;
  /** The schemas of its body and of its successful responses. */
  schemas: JsonSchema[];
}

interface DescribedOperation {
  operationId: string;
  "x-fuxi-access": Access;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Every operation of the document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: described.requestBody?.content["application/json"]?.schema,
      access: described["x-fuxi-access"],
      schemas: [
        described.requestBody?.content ?? {},
        ...Object.entries(described.responses).flatMap(([status, { content = {} }]) =>
          status.startsWith("2") ? [content] : [],
        ),
      ].flatMap((content) => Object.values(content).map(({ schema }) => schema)),
    })),
  );
}
