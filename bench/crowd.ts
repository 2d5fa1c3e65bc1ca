/** Visitors of many kinds on many links of several workspaces: the input of counting benches. */
import { makeCodes, pksFrom } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";

export interface VisitedLink {
  pk: number;
  key: string;
  workspacePk: number;
  domainPk: number;
}

/** Outside of the ranges that new links get. */
const firstPk = 500_000_000;

/** Inserts links on localhost, alternating between these workspaces; every fifth has a campaign. */
export async function putLinksOf(workspaces: number, count: number): Promise<VisitedLink[]> {
  const codes = (await makeCodes(pksFrom(firstPk, count + 100))).slice(0, count);
  await query(sql`
    INSERT INTO workspace (id, name, slug, zone)
    SELECT 'ws_' || n, 'Bench ' || n, 'bench-' || n, 'Europe/Berlin'
    FROM generate_series(1, ${workspaces}) AS n`);
  await query(sql`
    INSERT INTO domain (id, slug, verified_at) VALUES ('dom_bench', 'localhost', now())
    ON CONFLICT DO NOTHING`);
  return await query<VisitedLink>(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
    SELECT new.pk, gen_random_uuid(), workspace.pk, domain.pk, new.key,
      'https://example.com/a/destination/of/usual/length?with=a&few=' || new.pk ||
        CASE WHEN new.at % 5 = 0 THEN '&utm_source=letter&utm_campaign=c' || new.at % 40 ELSE '' END
    FROM unnest(
      ${codes.map(({ pk }) => pk)}::bigint[],
      ${codes.map(({ code }) => code)}::text[]
    ) WITH ORDINALITY AS new (pk, key, at)
    JOIN workspace ON workspace.slug = 'bench-' || (1 + new.at % ${workspaces})
    JOIN domain ON domain.slug = 'localhost' AND domain.workspace_pk IS NULL
    RETURNING pk, key, workspace_pk AS "workspacePk", domain_pk AS "domainPk"`);
}

const systems = [
  "(Windows NT 10.0; Win64; x64)",
  "(Macintosh; Intel Mac OS X 10_15_7)",
  "(X11; Linux x86_64)",
  "(Linux; Android 15; Pixel 9)",
  "(Linux; Android 14; SM-S918B)",
];

/** Two hundred browsers of people, and a crawler. */
export const userAgents = [
  ...Array.from({ length: 200 }, (_, at) => {
    const version = 100 + (at % 40);
    return at % 4 === 0
      ? `Mozilla/5.0 (iPhone; CPU iPhone OS 19_${at % 7} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.${at % 7} Mobile/15E148 Safari/604.1`
      : `Mozilla/5.0 ${systems[at % 5]} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
  }),
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
];

/** Referring pages; half of the visits have none. */
export const referers = Array.from({ length: 400 }, (_, at) =>
  at % 2 === 0 ? "" : `https://www.site${at % 60}.example/page/${at}?of=somebody`,
);

export const languages = [
  "de-DE,de;q=0.9",
  "en-US,en;q=0.9",
  "fr-FR,fr",
  "zh-CN,zh;q=0.9",
  "es-ES",
];

/** Addresses around the world: 16 million of them. */
export function addressOf(number: number): string {
  const mixed = Math.imul(number, 2_654_435_761) >>> 0;
  return `${1 + (mixed % 223)}.${(mixed >>> 8) & 255}.${(mixed >>> 16) & 255}.${(mixed >>> 24) & 255}`;
}

/** Between two visits of a connection: half of what one core can answer, so that nothing waits. */
export const calmPauseMs = 10;
const shareOfMost = 0.7;
/** What a visit takes beside the pause, roughly. */
const answerMs = 1;

/** With which this many connections make 70 % of the most that was answered. */
export function pauseAtShare(mostPerSecond: number, connections: number): number {
  return Math.max(1, (connections * 1_000) / (mostPerSecond * shareOfMost) - answerMs);
}

/** One visit in so many meets a link that no cache has. */
export const missEvery = 7;

/** Visits of these links, one in seven of one of `fresh`, each of which is visited once. */
export function crowdWithMisses(
  keys: readonly string[],
  fresh: readonly string[],
  pauseMs: number,
): string {
  const mixed = fresh.flatMap((key, at) => [
    ...Array.from(
      { length: missEvery - 1 },
      (_, n) => keys[(at * (missEvery - 1) + n) % keys.length] ?? "",
    ),
    key,
  ]);
  return crowdVisits(
    mixed.map((key) => ({ key })),
    pauseMs,
    1,
  );
}

/** Prepared texts of requests. Coprime to the numbers of browsers and pages, so that all combinations occur. */
const headsAtLeast = 20_011;

/**
 * For wrk: visits of the crowd, with or without a pause between two on each connection. Pauses of equal length would let
 * all connections visit in the same moment. With a stride of 1, links are visited in their order.
 */
export function crowdVisits(
  visited: readonly { key: string }[],
  pauseMs = 0,
  stride = 7_919,
): string {
  const list = (texts: readonly string[]) => `{${texts.map((text) => `"${text}"`).join(",")}}`;
  return `
local paths = {}
for path in ("${visited.map(({ key }) => `/${key}`).join(" ")}"):gmatch("%S+") do paths[#paths + 1] = path end
local agents = ${list(userAgents)}
local referers = ${list(referers)}
local languages = ${list(languages)}
local n = 0
-- Put together once: the generator shares the cores with what is measured, and needs a third of the time for such a request.
local heads = {}
for at = 1, math.max(#paths, ${headsAtLeast}) do
  local head = "GET " .. paths[1 + at * ${stride} % #paths] .. " HTTP/1.1\\r\\nHost: localhost\\r\\nUser-Agent: "
    .. agents[1 + at % #agents] .. "\\r\\nAccept-Language: " .. languages[1 + at % #languages] .. "\\r\\n"
  local referer = referers[1 + at * 17 % #referers]
  if referer ~= "" then head = head .. "Referer: " .. referer .. "\\r\\n" end
  heads[at] = head .. "X-Forwarded-For: "
end
${pauseMs > 0 ? `function delay() return math.floor(math.random() * ${2 * pauseMs + 1}) end` : ""}
function request()
  n = n + 1
  return heads[1 + n % #heads] .. (1 + n * 7 % 223) .. "." .. (n * 131 % 256) .. "." .. (math.floor(n / 256) % 256)
    .. "." .. (n % 256) .. "\\r\\n\\r\\n"
end`;
}
