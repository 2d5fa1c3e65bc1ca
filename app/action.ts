/**
 * Server actions can be called by anyone with any arguments, over HTTP, whatever their types promise. Each declares a
 * schema for every argument; a call that does not fit is answered before the session is read.
 */
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { isClean } from "./api/hostile-text.ts";
import { withSentences } from "./sentences.ts";

type Schemas = readonly z.ZodType[];
type Parsed<List extends Schemas> = { [At in keyof List]: z.output<List[At]> };
type Given<List extends Schemas> = { [At in keyof List]: z.input<List[At]> };

const nameCharsMax = 255;
const fieldsMax = 100;
/** Of all names and values: the front refuses longer bodies. */
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

/** A server action that answers a form or a button. */
export function action<const List extends Schemas, Done>(
  schemas: List,
  run: (...given: Parsed<List>) => Promise<FormAnswer<Done>>,
): (...given: Given<List>) => Promise<FormAnswer<Done>> {
  return plainAction(schemas, { ok: false, form: "unknown" }, async (...given) =>
    withSentences(await run(...given)),
  );
}

/** A server action that answers `refused` to wrong arguments. */
export function plainAction<const List extends Schemas, Answer>(
  schemas: List,
  refused: Answer,
  run: (...given: Parsed<List>) => Promise<Answer>,
): (...given: Given<List>) => Promise<Answer> {
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
  // Only parsed values are searched for texts: those that were sent may contain themselves.
  // defence: action-storable-texts
  const values = results.flatMap(({ success, data }) => (success && isClean(data) ? [data] : []));
  return values.length === schemas.length ? asParsed(values) : undefined;
}

/** A Date, a Map or a Blob is an object without fields for zod. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof FormData) return true;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Sound because each value was parsed by the schema of its place. */
function asParsed<List extends Schemas>(values: unknown[]): Parsed<List> {
  return values as Parsed<List>;
}
