/** Signs that a person cannot see, or that turn the order of the others: an address keeps them encoded. */
const unreadable = /[\p{C}\p{Z}]/u;

/** An address with its percent signs resolved, where that shows nothing else than what is there. */
function decoded(url: string): string {
  try {
    const text = decodeURI(url);
    return unreadable.test(text) ? url : text;
  } catch {
    return url; // URIError: a percent sign that encodes nothing
  }
}

/** An address as people say it: without the scheme, in their own script. */
export function withoutScheme(url: string): string {
  return decoded(url)
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");
}

/** The host of an address without "www.", for the letter beside a row. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}

/** The page of a link in the dashboard. */
export function pageOf(workspace: string, linkId: string): string {
  return `/app/${workspace}/links/${linkId}`;
}

/** What a list is filtered by, in the order of its menu. */
export const filterNames = ["domain", "tag", "folder", "user", "clicked", "archived"] as const;

/** A tag, a folder or a member, as menus offer them. */
export interface Named {
  id: string;
  name: string;
  color?: string;
}

/** The member with this id; of somebody who left, links are there and the name is not. */
export function creatorOf(
  id: string | null,
  members: readonly Named[],
  unknown: string,
): Named | undefined {
  if (!id) return undefined;
  return members.find((member) => member.id === id) ?? { id, name: unknown };
}
