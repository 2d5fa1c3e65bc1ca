import { hostsOf } from "#lib/links/fields";
import type { Link } from "#lib/links/fields/schema";
import { findShortHosts } from "#lib/links/hosts";
import type { ListedLink } from "./schema.ts";

/** Marks links whose destination’s host serves short links now. Hosts are cached. */
export async function markLoops(links: readonly Link[]): Promise<ListedLink[]> {
  const short = await findShortHosts([...hostsOf(links)]);
  if (short.size === 0) return [...links];
  return links.map((link) => {
    const loops = [...hostsOf([link])].some((host) => short.has(host));
    return loops ? { ...link, loops } : link;
  });
}
