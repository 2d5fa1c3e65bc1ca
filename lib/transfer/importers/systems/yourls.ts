/** https://yourls.org/docs/guide/advanced/passwordless-api and `stats` of yourls-api.php */
import { z } from "zod";
import { type FoundLink, LinkCells, type Reading, readAs, type System } from "./system.ts";

const pageLinks = 100;

const cursorShape = z.object({ start: z.number() });
const link = z.object({
  shorturl: z.string(),
  url: z.string(),
  title: z.string().nullish(),
  timestamp: z.string().nullish(),
  clicks: z.coerce.number().nullish(),
});
const answerShape = z.object({
  // PHP writes an empty list as an array.
  links: z.union([z.record(z.string(), link), z.array(link)]).nullish(),
  stats: z.object({ total_links: z.coerce.number() }).nullish(),
});

export const yourls: System = {
  address: null,
  newestFirst: true,
  async readPage(reading, cursor) {
    const start = cursor ? cursorShape.parse(cursor).start : 0;
    const path = /\.php$/i.test(reading.address) ? "" : "/yourls-api.php";
    const answer = await reading.api.post(
      { path },
      {
        signature: reading.token,
        action: "stats",
        filter: "last",
        limit: String(pageLinks),
        start: String(start),
        format: "json",
      },
    );
    const { links, stats } = readAs("yourls", answerShape, answer);
    const found = Object.values(links ?? {});
    return {
      links: found.map((one) => cellsOf(one, reading)),
      next: found.length < pageLinks ? null : { start: start + found.length },
      total: stats?.total_links ?? null,
    };
  },
};

function cellsOf(one: z.output<typeof link>, { wantsClicks }: Reading): FoundLink {
  return new LinkCells()
    .shortLink("yourls", one.shorturl)
    .put("url", one.url)
    .title(one.title === one.url ? null : one.title)
    .put("originCreatedAt", one.timestamp)
    .put("originClicks", wantsClicks ? one.clicks : null).found;
}
