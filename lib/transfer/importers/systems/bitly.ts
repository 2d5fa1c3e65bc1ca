/**
 * Bitly: API v4, https://dev.bitly.com/api-reference/ (getGroups, getBitlinksByGroup, getClicksSummaryForBitlink). Links
 * belong to groups; the cursor is the number of the group and `search_after` of its next page.
 */
import { z } from "zod";
import { bareUrl } from "#lib/basics/urls/schema";
import {
  bearer,
  dateOf,
  type FoundLink,
  LinkCells,
  type Reading,
  readAs,
  type System,
} from "./system.ts";

/** Small, because clicks take a request per link, and a pause repeats all requests of a page. */
const pageLinks = 50;
const pageLinksWithClicks = 20;
/** Links can’t keep their automatic slugs on Bitly’s own domains. */
const ownHosts = new Set(["bit.ly", "bitly.com", "j.mp"]);

const cursorShape = z.object({ groups: z.array(z.string()), at: z.number(), after: z.string() });
const groupsAnswer = z.object({ groups: z.array(z.object({ guid: z.string() })) });
const bitlink = z.object({
  id: z.string(),
  long_url: z.string(),
  title: z.string().nullish(),
  archived: z.boolean().nullish(),
  created_at: z.string().nullish(),
  expiration_at: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  custom_bitlinks: z.array(z.string()).nullish(),
  deeplinks: z.array(z.unknown()).nullish(),
});
type Bitlink = z.output<typeof bitlink>;
const linksAnswer = z.object({
  links: z.array(bitlink),
  pagination: z.object({ search_after: z.string().nullish() }).nullish(),
});
const clicksAnswer = z.object({ total_clicks: z.number() });

export const bitly: System = {
  address: "https://api-ssl.bitly.com",
  newestFirst: true,
  async readPage(reading, cursor) {
    const { groups, at, after } = cursor ? cursorShape.parse(cursor) : await firstOf(reading);
    const group = groups[at];
    if (group === undefined) return { links: [], next: null, total: null };
    const { api, token, wantsClicks } = reading;
    const answer = await api.get({
      path: `/v4/groups/${encodeURIComponent(group)}/bitlinks`,
      query: {
        size: String(wantsClicks ? pageLinksWithClicks : pageLinks),
        archived: "both",
        ...(after ? { search_after: after } : {}),
      },
      headers: bearer(token),
    });
    const { links, pagination } = readAs("bitly", linksAnswer, answer);
    const found: FoundLink[] = [];
    for (const link of links) found.push(...linksOf(link, await clicksOf(reading, link.id)));
    const more = pagination?.search_after ?? "";
    const next = more && links.length > 0 ? { groups, at, after: more } : nextGroup(groups, at);
    return { links: found, next, total: null };
  },
};

async function firstOf({ api, token }: Reading): Promise<z.output<typeof cursorShape>> {
  const answer = await api.get({ path: "/v4/groups", headers: bearer(token) });
  const { groups } = readAs("bitly", groupsAnswer, answer);
  return { groups: groups.map(({ guid }) => guid), at: 0, after: "" };
}

function nextGroup(groups: readonly string[], at: number): object | null {
  return at + 1 < groups.length ? { groups, at: at + 1, after: "" } : null;
}

async function clicksOf({ api, token, wantsClicks }: Reading, id: string): Promise<number | null> {
  if (!wantsClicks) return null;
  const answer = await api.get({
    path: `/v4/bitlinks/${id.split("/").map(encodeURIComponent).join("/")}/clicks/summary`,
    query: { unit: "day", units: "-1" },
    headers: bearer(token),
  });
  return readAs("bitly", clicksAnswer, answer).total_clicks;
}

/** Makes a link for each custom address, and one for an automatic address on the owner’s domain. */
function linksOf(link: Bitlink, clicks: number | null): FoundLink[] {
  const custom = (link.custom_bitlinks ?? []).map(bareUrl);
  const isOwnHost = ownHosts.has(link.id.split("/")[0]?.toLowerCase() ?? "");
  const automatic = custom.length === 0 || !isOwnHost ? [link.id] : [];
  const names = [...new Set([...custom, ...automatic])];
  return names.map((name) => cellsOf(link, name, clicks));
}

function cellsOf(link: Bitlink, name: string, clicks: number | null): FoundLink {
  return new LinkCells()
    .shortLink("bitly", name)
    .put("url", link.long_url)
    .title(link.title)
    .tags(link.tags ?? [])
    .flag("archived", link.archived)
    .put("expiresAt", dateOf(link.expiration_at))
    .put("originCreatedAt", dateOf(link.created_at))
    .put("originClicks", clicks)
    .withoutIf((link.deeplinks ?? []).length > 0, "deepLinks").found;
}
