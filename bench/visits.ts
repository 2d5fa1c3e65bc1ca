/** Visits of many links, as browsers make them. */
import { makeCodes } from "#lib/codes";
import { query, sql } from "#lib/postgres";

/** Writes `count` links of one workspace on localhost; returns their keys. */
export async function putLinks(count: number): Promise<string[]> {
  const codes = (await makeCodes(0, count + 100)).slice(0, count);
  await query(sql`
    INSERT INTO workspace (id, name, slug) VALUES ('ws_bench', 'Bench', 'bench')`);
  await query(sql`
    INSERT INTO domain (id, slug, verified_at) VALUES ('dom_bench', 'localhost', now())
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
    SELECT new.pk, gen_random_uuid(), workspace.pk, domain.pk, new.key,
      'https://example.com/a/destination/of/usual/length?with=a&few=' || new.pk
    FROM unnest(
      ${codes.map(({ pk }) => pk)}::bigint[],
      ${codes.map(({ code }) => code)}::text[]
    ) AS new (pk, key), workspace, domain
    WHERE workspace.slug = 'bench' AND domain.slug = 'localhost'`);
  return codes.map(({ code }) => code);
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

/** For wrk: each connection asks for one path after the other, at once or with pauses of `pauseMs`. */
export function visitsOf(paths: string[], { pauseMs = 0 } = {}): string {
  const pause = pauseMs > 0 ? `function delay() return ${pauseMs} end` : "";
  return `
local paths = {${paths.map((path) => `"${path}"`).join(",")}}
local at = 0
${browserHeaders}
${pause}
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at], headers)
end`;
}
