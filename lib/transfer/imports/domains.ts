/** What a workspace can do with the domains that the rows of a file name. */
import { listOwnDomains } from "#lib/links/domains";
import { findShortHosts, parseHost } from "#lib/links/hosts";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { domainsMax, type NamedDomain } from "./schema.ts";

/** Domains whose owners shorten links for everybody, so nobody can prove that one is theirs. */
const publicShorteners: ReadonlySet<string> = new Set([
  "adf.ly",
  "b23.tv",
  "bit.do",
  "bit.ly",
  "bitly.com",
  "bl.ink",
  "buff.ly",
  "cutt.ly",
  "dlvr.it",
  "dub.link",
  "dub.sh",
  "dwz.cn",
  "fb.me",
  "goo.gl",
  "is.gd",
  "j.mp",
  "lnkd.in",
  "mrw.so",
  "ow.ly",
  "rb.gy",
  "rebrand.ly",
  "rebrandly.link",
  "shorturl.at",
  "snip.ly",
  "suo.im",
  "suo.nz",
  "t.cn",
  "t.co",
  "t.ly",
  "t2m.io",
  "t2mio.com",
  "tiny.cc",
  "tiny.one",
  "tinyurl.com",
  "trib.al",
  "url.cn",
  "v.gd",
  "w.url.cn",
]);

/** As many domains as a workspace can have (lib/links/domains). */
const ownMax = 1_000;

/** Describes the domains with the most rows. `served` has those on which the workspace creates links. */
export async function describeDomains(
  scope: WorkspaceScope,
  counts: readonly (readonly [domain: string, rows: number])[],
  served: ReadonlySet<string>,
): Promise<NamedDomain[]> {
  const most = counts.toSorted(([, one], [, other]) => other - one).slice(0, domainsMax);
  const others = most.map(([domain]) => domain).filter((domain) => !served.has(domain));
  const [own, elsewhere] = await Promise.all([
    others.length > 0 ? ownStates(scope) : new Map<string, NamedDomain["state"]>(),
    findShortHosts(others),
  ]);
  return most.map(([domain, rows]) => ({
    domain,
    rows,
    state: served.has(domain) ? "active" : (own.get(domain) ?? stateElsewhere(domain, elsewhere)),
  }));
}

async function ownStates(scope: WorkspaceScope): Promise<Map<string, NamedDomain["state"]>> {
  if (!scope.permissions.has("domains.read")) return new Map();
  const own = await listOwnDomains(scope, { archived: "true", page: 1, pageSize: ownMax });
  return new Map(own.map(({ slug, verified }) => [slug, verified ? "archived" : "pending"]));
}

function stateElsewhere(domain: string, elsewhere: ReadonlySet<string>): NamedDomain["state"] {
  if (publicShorteners.has(domain)) return "shortener";
  if (!parseHost(domain).ok) return "invalid";
  return elsewhere.has(domain) ? "taken" : "addable";
}
