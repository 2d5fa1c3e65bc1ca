import { cache } from "react";
import { describeApi } from "../../api/index.ts";
import { type ApiReference, type ResourceDoc, readReference } from "./reference.ts";

/** The reference of this instance's API. */
export const getReference = cache(
  (): ApiReference => readReference(structuredClone(describeApi())),
);

/** A resource's part of URLs: "API keys" → api-keys. */
export function slugOf({ name }: ResourceDoc): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
