/**
 * Rebrandly: API v1, https://developers.rebrandly.com/docs/list-links and /docs/workspaces. Links belong to workspaces; the
 * cursor is the number of the workspace and the id of the last link.
 */
import { z } from "zod";
import { dateOf, type FoundLink, LinkCells, type Reading, readAs, type System } from "./system.ts";

const pageLinks = 25;
const workspacesMax = 100;

const cursorShape = z.object({ workspaces: z.array(z.string()), at: z.number(), last: z.string() });
const workspacesAnswer = z.array(z.object({ id: z.string() }));
const link = z.object({
  id: z.string(),
  destination: z.string(),
  slashtag: z.string(),
  shortUrl: z.string().nullish(),
  domain: z.object({ fullName: z.string() }),
  title: z.string().nullish(),
  description: z.string().nullish(),
  createdAt: z.string().nullish(),
  clicks: z.number().nullish(),
  tags: z.array(z.object({ name: z.string() })).nullish(),
  forwardParameters: z.boolean().nullish(),
  favourite: z.boolean().nullish(),
  scripts: z.array(z.unknown()).nullish(),
});
type RebrandlyLink = z.output<typeof link>;

export const rebrandly: System = {
  address: "https://api.rebrandly.com",
  newestFirst: false,
  async readPage(reading, cursor) {
    const { workspaces, at, last } = cursor ? cursorShape.parse(cursor) : await firstOf(reading);
    const answer = await reading.api.get({
      path: "/v1/links",
      query: {
        orderBy: "createdAt",
        orderDir: "asc",
        limit: String(pageLinks),
        ...(last ? { last } : {}),
      },
      headers: headersOf(reading, workspaces[at]),
    });
    const links = readAs("rebrandly", z.array(link), answer);
    const isLast = links.length < pageLinks;
    const nextWorkspace = at + 1 < workspaces.length ? { workspaces, at: at + 1, last: "" } : null;
    return {
      links: links.map((one) => cellsOf(one, reading)),
      next: isLast ? nextWorkspace : { workspaces, at, last: links.at(-1)?.id },
      total: null,
    };
  },
};

function headersOf({ token }: Reading, workspace: string | undefined): Record<string, string> {
  return { apikey: token, ...(workspace ? { workspace } : {}) };
}

/** A key without workspaces reads its own links. */
async function firstOf(reading: Reading): Promise<z.output<typeof cursorShape>> {
  const answer = await reading.api.get({
    path: "/v1/workspaces",
    query: { limit: String(workspacesMax) },
    headers: headersOf(reading, undefined),
  });
  const workspaces = readAs("rebrandly", workspacesAnswer, answer).map(({ id }) => id);
  return { workspaces, at: 0, last: "" };
}

function cellsOf(one: RebrandlyLink, { wantsClicks }: Reading): FoundLink {
  return new LinkCells()
    .shortLink("rebrandly", `${one.domain.fullName}/${one.slashtag}`)
    .put("url", one.destination)
    .title(one.title)
    .text("comments", one.description)
    .tags((one.tags ?? []).map(({ name }) => name))
    .flag("forwardQuery", one.forwardParameters)
    .put("originCreatedAt", dateOf(one.createdAt))
    .put("originClicks", wantsClicks ? one.clicks : null)
    .withoutIf(one.favourite === true, "favourite")
    .withoutIf((one.scripts ?? []).length > 0, "retargeting").found;
}
