import { bareUrl } from "#lib/basics/urls/schema";
import type { Link } from "#lib/links/fields/schema";

/** Characters that are invisible or change the order of others. They stay encoded in a URL. */
const unreadable = /[\p{C}\p{Z}]/u;

/** A URL with its percent-encoding resolved, where that is unambiguous. */
function decodeReadable(url: string): string {
  try {
    const text = decodeURI(url);
    return unreadable.test(text) ? url : text;
  } catch {
    return url; // URIError: an invalid escape
  }
}

/** A URL for display: without its scheme, and in its own script. */
export function withoutScheme(url: string): string {
  return bareUrl(decodeReadable(url)).replace(/\/$/, "");
}

/**
 * The host of a URL without "www.", for the letter next to a row. It stays as entered, because the letter would always be X for
 * xn-- hosts.
 */
export function hostOf(url: string): string {
  return /^\w+:\/\/(?:[^/?#]*@)?(?:www\.)?([^/?#:]+)/i.exec(url)?.[1] ?? url;
}

export function pageOf(workspace: string, linkId: string): string {
  return `/app/${workspace}/links/${linkId}`;
}

/** The filters of a list, in the order of the menu. */
export const filterNames = [
  "status",
  "feature",
  "domain",
  "tag",
  "folder",
  "from",
  "to",
  "user",
  "key",
  "import",
  "clicked",
  "archived",
] as const;

/** Ids in a parameter of the list, separated by commas. */
export function namesIn(text: string | null): string[] {
  return (text ?? "").split(",").filter((id) => id !== "");
}

export interface NamedOption {
  id: string;
  name: string;
  color?: string;
}

export interface FilterNames {
  tags: readonly NamedOption[];
  folder: NamedOption | undefined;
  members: readonly NamedOption[];
  keys: readonly NamedOption[];
  imported: NamedOption | undefined;
}

/** The member with this id. Links of a member who left have no name. */
export function creatorOption(
  id: string | null,
  members: readonly NamedOption[],
  unknown: string,
): NamedOption | undefined {
  if (!id) return undefined;
  return members.find((member) => member.id === id) ?? { id, name: unknown };
}

/** How many of some links have a name. */
export type MarkState = "all" | "some" | "none";

export function markAmong(links: readonly Link[], has: (link: Link) => boolean): MarkState {
  const count = links.filter(has).length;
  if (count === 0) return "none";
  return count === links.length ? "all" : "some";
}
