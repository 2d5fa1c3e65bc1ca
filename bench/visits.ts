/** Visits of many links, with the headers of browsers. */
import { codeOfPk, isAllowedCode, makeCodes, pksFrom } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";

export interface BenchLink {
  pk: number;
  key: string;
}

export function destinationOf(pk: number): string {
  return `https://example.com/a/destination/of/usual/length?with=a&few=${pk}`;
}

/** A workspace and its domain, localhost. */
export async function putTenant(): Promise<void> {
  await query(sql`
    INSERT INTO workspace (id, name, slug) VALUES ('ws_bench', 'Bench', 'bench')
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO domain (id, slug, verified_at) VALUES ('dom_bench', 'localhost', now())
    ON CONFLICT DO NOTHING`);
}

/** Inserts the links of this many pks from `start`, without blocked codes. */
export async function putLinks(count: number, start = 0): Promise<BenchLink[]> {
  await putTenant();
  const codes = await makeCodes(pksFrom(start, count));
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
    SELECT new.pk, gen_random_uuid(), workspace.pk, domain.pk, new.key,
      'https://example.com/a/destination/of/usual/length?with=a&few=' || new.pk
    FROM unnest(
      ${codes.map(({ pk }) => pk)}::bigint[],
      ${codes.map(({ code }) => code)}::text[]
    ) AS new (pk, key), workspace, domain
    WHERE workspace.slug = 'bench' AND domain.slug = 'localhost'`);
  return codes.map(({ pk, code }) => ({ pk, key: code }));
}

/**
 * Draws visits of `links` links from a Zipf distribution: the link of rank r is visited 1/r as often as the first.
 * Ranks are scattered over the pks from `start`, so that popular links are not adjacent in the table.
 */
export class ZipfLinks {
  readonly #links: number;
  readonly #start: number;
  readonly #sums: Float64Array;
  readonly #keys = new Map<number, string>();
  /** Coprime to every power of ten. */
  readonly #stride = 7_654_321;

  constructor(links: number, start: number) {
    this.#links = links;
    this.#start = start;
    this.#sums = new Float64Array(links);
    let sum = 0;
    for (let rank = 0; rank < links; rank++) {
      sum += 1 / (rank + 1);
      this.#sums[rank] = sum;
    }
  }

  /** The link of a rank, unless its code is blocked. */
  linkAt(rank: number): BenchLink | undefined {
    const pk = this.#start + ((rank * this.#stride) % this.#links);
    let key = this.#keys.get(rank);
    if (key === undefined) {
      const code = codeOfPk(pk);
      key = isAllowedCode(code) ? code : "";
      this.#keys.set(rank, key);
    }
    return key === "" ? undefined : { pk, key };
  }

  /** The paths of this many visits. */
  draw(visits: number): string[] {
    const paths: string[] = [];
    while (paths.length < visits) {
      const link = this.linkAt(this.#rankAt(Math.random()));
      if (link) paths.push(`/${link.key}`);
    }
    return paths;
  }

  #rankAt(share: number): number {
    const wanted = share * (this.#sums[this.#links - 1] ?? 0);
    let low = 0;
    let high = this.#links - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const browserHeaders = `
local headers = {
  ["Host"] = "localhost",
  ["User-Agent"] = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
  ["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  ["Accept-Language"] = "de-DE,de;q=0.9,en;q=0.8",
  ["Accept-Encoding"] = "gzip, deflate, br",
  ["Referer"] = "https://www.instagram.com/",
  ["Sec-Fetch-Dest"] = "document",
  ["Sec-Fetch-Mode"] = "navigate",
  ["Sec-Fetch-Site"] = "cross-site",
}`;

/** For wrk: each connection requests one path after the other, without or with pauses of about `pauseMs`. */
export function visitsOf(paths: string[], { pauseMs = 0 } = {}): string {
  // As one text: a table literal in Lua has at most 65,536 entries.
  const pause =
    pauseMs > 0
      ? `function delay() return math.random(${Math.round(pauseMs * 0.5)}, ${Math.round(pauseMs * 1.5)}) end`
      : "";
  return `
local paths = {}
for path in ("${paths.join(" ")}"):gmatch("%S+") do paths[#paths + 1] = path end
local at = 0
${browserHeaders}
${pause}
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at], headers)
end`;
}

/** The paths of the links of `putLinks`. */
export async function pathsOf(start: number, count: number): Promise<string[]> {
  return (await makeCodes(pksFrom(start, count))).map(({ code }) => `/${code}`);
}
