import { describeApi } from "../../api/index.ts";
import { type ApiReference, type ResourceDoc, readReference } from "./reference.ts";

let reference: ApiReference | undefined;

/** The reference of this instance's API. Built once, because it only changes with the code and the settings. */
export function getReference(): ApiReference {
  reference ??= readReference(structuredClone(describeApi()));
  return reference;
}

/** A resource's part of URLs: "API keys" → api-keys. */
export function slugOf({ name }: ResourceDoc): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
