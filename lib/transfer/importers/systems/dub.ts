/** https://dub.co/docs/api-reference/links/list and /folders/list */
import { z } from "zod";
import {
  bearer,
  dateOf,
  type FoundLink,
  LinkCells,
  type Reading,
  readAs,
  type System,
} from "./system.ts";

const pageLinks = 100;
const foldersMax = 1_000;

const cursorShape = z.object({ after: z.string(), folders: z.record(z.string(), z.string()) });
const foldersAnswer = z.array(z.object({ id: z.string(), name: z.string() }));
const text = z.string().nullish();
const flag = z.boolean().nullish();
const count = z.number().nullish();
const link = z.object({
  id: z.string(),
  domain: z.string(),
  key: z.string(),
  url: z.string(),
  externalId: text,
  tenantId: text,
  archived: flag,
  expiresAt: text,
  expiredUrl: text,
  disabledAt: text,
  password: text,
  proxy: flag,
  title: text,
  description: text,
  image: text,
  video: text,
  rewrite: flag,
  doIndex: flag,
  ios: text,
  android: text,
  geo: z.record(z.string(), z.string()).nullish(),
  publicStats: flag,
  trackConversion: flag,
  tags: z.array(z.object({ name: z.string() })).nullish(),
  folderId: text,
  comments: text,
  testVariants: z.array(z.object({ url: z.string(), percentage: z.number() })).nullish(),
  testStartedAt: text,
  testCompletedAt: text,
  webhookIds: z.array(z.string()).nullish(),
  programId: text,
  partnerId: text,
  clicks: count,
  leads: count,
  sales: count,
  createdAt: text,
});
type DubLink = z.output<typeof link>;

export const dub: System = {
  address: "https://api.dub.co",
  newestFirst: false,
  async readPage(reading, cursor) {
    const { after, folders } = cursor ? cursorShape.parse(cursor) : await firstOf(reading);
    const answer = await reading.api.get({
      path: "/links",
      query: {
        pageSize: String(pageLinks),
        sortBy: "createdAt",
        sortOrder: "asc",
        showArchived: "true",
        ...(after ? { startingAfter: after } : {}),
      },
      headers: bearer(reading.token),
    });
    const links = readAs("dub", z.array(link), answer);
    const last = links.at(-1);
    return {
      links: links.map((one) => cellsOf(one, folders, reading)),
      next: last && links.length === pageLinks ? { after: last.id, folders } : null,
      total: null,
    };
  },
};

async function firstOf({ api, token }: Reading): Promise<z.output<typeof cursorShape>> {
  const answer = await api.get({ path: "/folders", headers: bearer(token) });
  const folders = readAs("dub", foldersAnswer, answer).slice(0, foldersMax);
  return { after: "", folders: Object.fromEntries(folders.map(({ id, name }) => [id, name])) };
}

/** Keys without full access get a mask instead of the password. */
const isMasked = (password: string) => /^\*+$/.test(password);

function cellsOf(
  one: DubLink,
  folders: Readonly<Record<string, string>>,
  { wantsClicks }: Reading,
): FoundLink {
  const cells = new LinkCells()
    .shortLink("dub", `${one.domain}/${one.key}`)
    // UTM parameters are part of the URL.
    .put("url", one.url)
    .put("externalId", one.externalId)
    .put("tenantId", one.tenantId)
    .put("expiresAt", dateOf(one.expiresAt))
    .put("expiredUrl", one.expiredUrl)
    .title(one.title)
    .text("description", one.description)
    .text("comments", one.comments)
    .put("image", /^https?:/i.test(one.image ?? "") ? one.image : null)
    .put("video", one.video)
    .put("ios", one.ios)
    .put("android", one.android)
    .put("geo", one.geo)
    .tags((one.tags ?? []).map(({ name }) => name))
    .put("folder", folders[one.folderId ?? ""])
    .put("originCreatedAt", dateOf(one.createdAt))
    .put("originClicks", wantsClicks ? one.clicks : null);
  putFlags(cells, one);
  putTest(cells, one);
  if (one.password && !isMasked(one.password)) cells.put("password", one.password);
  else if (one.password) cells.turnedOff();
  return withoutOthers(cells, one).found;
}

function putFlags(cells: LinkCells, one: DubLink): void {
  cells
    .flag("archived", one.archived)
    .flag("disabled", Boolean(one.disabledAt))
    .flag("proxy", one.proxy)
    .flag("rewrite", one.rewrite)
    .flag("doIndex", one.doIndex)
    .flag("publicStats", one.publicStats)
    .flag("trackConversion", one.trackConversion);
}

function putTest(cells: LinkCells, one: DubLink): void {
  if ((one.testVariants ?? []).length === 0) return;
  cells
    .put("testVariants", one.testVariants)
    .put("testStartedAt", dateOf(one.testStartedAt))
    .put("testCompletedAt", dateOf(one.testCompletedAt));
}

function withoutOthers(cells: LinkCells, one: DubLink): LinkCells {
  const hasImage = Boolean(one.image) && !/^https?:/i.test(one.image ?? "");
  return cells
    .withoutIf((one.leads ?? 0) > 0 || (one.sales ?? 0) > 0, "conversions")
    .withoutIf((one.webhookIds ?? []).length > 0, "webhooks")
    .withoutIf(Boolean(one.programId || one.partnerId), "partners")
    .withoutIf(hasImage, "image");
}
