/**
 * Anyone can call server actions over HTTP with any arguments, whatever their types promise. Each action declares a schema for
 * every argument; a call that doesn’t match is answered before the session is read.
 */
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { isClean } from "./api/hostile-text.ts";
import { type ParsedForm, parseForm } from "./form-data.ts";
import { withSentences } from "./sentences.ts";

type Schemas = readonly z.ZodType[];
type Parsed<List extends Schemas> = { [At in keyof List]: z.output<List[At]> };

/** An argument whose problems are shown as errors of form fields. */
export interface ReadArgument<Value, Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  read(given: z.output<Schema>): ParsedForm<Value>;
}

export type Arguments = readonly (z.ZodType | ReadArgument<unknown>)[];
type ValueOf<One> =
  One extends ReadArgument<infer Value> ? Value : One extends z.ZodType ? z.output<One> : never;
type GivenOf<One> =
  One extends ReadArgument<unknown, infer Schema>
    ? z.input<Schema>
    : One extends z.ZodType
      ? z.input<One>
      : never;
export type Values<List extends Arguments> = { [At in keyof List]: ValueOf<List[At]> };
export type Given<List extends Arguments> = { [At in keyof List]: GivenOf<List[At]> };

const nameCharsMax = 255;
const fieldsMax = 100;
/** All names and values together. The front refuses longer bodies. */
const formCharsMax = 192 * 1024;

/** An id, a slug, a host or a token. */
export const nameArgument = z.string().max(nameCharsMax);

/** A form without files. Only the fields named in `lists` may occur more than once. */
export function formArgument(lists: readonly string[] = []): z.ZodType<FormData, FormData> {
  return z.instanceof(FormData).refine((data) => {
    const fields = [...data];
    const once = fields.map(([field]) => field).filter((field) => !lists.includes(field));
    const chars = fields.map(([field, value]) => field.length + value.toString().length);
    return (
      fields.length <= fieldsMax &&
      // defence: action-form-fields-once
      new Set(once).size === once.length &&
      // defence: action-form-without-files
      fields.every(([, value]) => typeof value === "string") &&
      fields.every((texts) => isClean(texts)) &&
      chars.reduce((sum, length) => sum + length, 0) <= formCharsMax
    );
  });
}

/** An argument that a function reads after its schema has parsed it. */
export function readBy<Schema extends z.ZodType, Value>(
  schema: Schema,
  read: (given: z.output<Schema>) => ParsedForm<Value>,
): ReadArgument<Value, Schema> {
  return { schema, read };
}

export function formOf<Schema extends z.ZodType>(
  schema: Schema,
  messages: Parameters<typeof parseForm>[2],
) {
  return readBy(formArgument(), (data) => parseForm(data, schema, messages));
}

export function action<const List extends Arguments, Done>(
  list: List,
  run: (...values: Values<List>) => Promise<FormAnswer<Done>>,
): (...given: Given<List>) => Promise<FormAnswer<Done>> {
  const schemas = list.map((one) => ("read" in one ? one.schema : one));
  const refused: FormAnswer<Done> = { ok: false, form: "unknown" };
  const answer = plainAction(schemas, refused, async (...parsed) => {
    const values: unknown[] = [];
    for (const [at, one] of list.entries()) {
      if (!("read" in one)) values.push(parsed[at]);
      else {
        const read = one.read(parsed[at]);
        if (!read.ok) return await withSentences<Done>(read);
        values.push(read.value);
      }
    }
    return await withSentences(await run(...asValues<List>(values)));
  });
  return async (...given) => await answer(...given);
}

/** A server action that returns `refused` for invalid arguments. */
export function plainAction<const List extends Schemas, Answer>(
  schemas: List,
  refused: Answer,
  run: (...given: Parsed<List>) => Promise<Answer>,
): (...given: { [At in keyof List]: z.input<List[At]> }) => Promise<Answer> {
  return async (...given) => {
    const values = parse(schemas, [...given]);
    // defence: action-arguments-parsed
    return values ? await run(...values) : refused;
  };
}

function parse<List extends Schemas>(
  schemas: List,
  given: readonly unknown[],
): Parsed<List> | undefined {
  // defence: action-argument-count
  // defence: action-plain-objects
  if (given.length !== schemas.length || !given.every(isPlain)) return undefined;
  const results = schemas.map((schema, at) => schema.safeParse(given[at]));
  // Checks parsed values only: arguments as they were sent can contain cycles.
  // defence: action-storable-texts
  const values = results.flatMap(({ success, data }) => (success && isClean(data) ? [data] : []));
  return values.length === schemas.length ? asParsed(values) : undefined;
}

/** Zod treats a Date, a Map or a Blob as an object without fields. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof FormData) return true;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Sound because each value was parsed by the schema at its index. */
function asParsed<List extends Schemas>(values: unknown[]): Parsed<List> {
  return values as Parsed<List>;
}

/** Sound because each value was read by the argument at its index. */
export function asValues<List extends Arguments>(values: unknown[]): Values<List> {
  return values as Values<List>;
}
