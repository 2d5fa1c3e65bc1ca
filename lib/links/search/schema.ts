/** Limits of the search, and which links are indexed after their creation. */
import { parseId } from "#lib/basics/ids";

/** Larger eras make common terms slower, smaller ones rare terms. */
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

/** Created with an API key, and not for a recipient of a campaign: its text is added later. */
export function isKeyLink({
  api_key_pk,
  external_id,
}: Pick<KeyLink, "api_key_pk" | "external_id">): boolean {
  return api_key_pk !== null && parseId("rcp", external_id ?? "") === undefined;
}

/** What people search in, up to as many characters as are indexed. */
export function searchText(row: {
  key: string;
  url: string;
  title: string | null;
  comments: string | null;
}): string {
  return [row.key, row.url, row.title, row.comments].filter(Boolean).join("\n").slice(0, 4_000);
}
