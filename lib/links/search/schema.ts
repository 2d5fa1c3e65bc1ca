/** Limits of the search, and which links are indexed after their creation. */
import { parseId } from "#lib/basics/ids";

/** Larger eras slow down common terms, smaller eras slow down rare ones. */
export const eraLinksMax = 65_536;
export const scannedErasMax = 8;
/** Texts without trigrams or rare grams are read one by one: this many take 0.2 seconds. */
export const scannedLinksMax = scannedErasMax * eraLinksMax;

/** Up: the next texts have greater ids. Down: smaller ones. */
export type Direction = "up" | "down";

export interface KeyLink {
  pk: number;
  id: string;
  workspace_pk: number;
  api_key_pk: number | null;
  external_id: string | null;
}

/** Whether a link was created with an API key, but not for a recipient of a campaign. Its text is added later. */
export function isKeyLink({
  api_key_pk,
  external_id,
}: Pick<KeyLink, "api_key_pk" | "external_id">): boolean {
  return api_key_pk !== null && parseId("rcp", external_id ?? "") === undefined;
}

/** The text that people search in, cut to the number of characters that are indexed. */
export function searchText(row: {
  key: string;
  url: string;
  title: string | null;
  comments: string | null;
}): string {
  return [row.key, row.url, row.title, row.comments].filter(Boolean).join("\n").slice(0, 4_000);
}
