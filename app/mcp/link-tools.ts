import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import { listLinksQuery } from "#lib/links/reading/schema";
import type { Fuxi } from "../sdk/index.ts";
import { answering, dataOf, given } from "./answers.ts";
import { briefLink, findLink, linkAnswer, linkReference, wholeLink } from "./link-answers.ts";

const linksDefault = 20;
/** A model has to read every link of an answer. */
const linksMax = 50;

const editable = {
  key: true,
  domain: true,
  title: true,
  comments: true,
  tagNames: true,
  folderId: true,
  externalId: true,
  startsAt: true,
  expiresAt: true,
  expiredUrl: true,
  maxClicks: true,
  redirectStatus: true,
  geo: true,
  ios: true,
  android: true,
  trackConversion: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_term: true,
  utm_content: true,
} as const;
const createInput = createLinkBody.pick({ url: true, ...editable }).strict();
const editInput = editLinkBody
  .pick({ url: true, archived: true, disabled: true, ...editable })
  .extend({ link: linkReference })
  .strict();

const { search, domain, tagNames, folderId, status, clicked, campaignId, createdAfter } =
  listLinksQuery.shape;
const listInput = z.strictObject({
  search: search.describe(
    "Part of the slug, destination, title or comments. New links of API keys and of create_link are found within a minute; links of recipients of campaigns only by exact values.",
  ),
  searchMode: z
    .enum(["fuzzy", "exact"])
    .optional()
    .describe(
      "exact: the complete slug, destination, short link, id or externalId. Defaults to fuzzy.",
    ),
  domain,
  tagNames,
  folderId,
  status,
  clicked: z
    .boolean()
    .optional()
    .describe(clicked.description ?? ""),
  campaignId,
  createdAfter,
  sortBy: listLinksQuery.shape.sortBy.describe("Defaults to createdAt."),
  sortOrder: z.enum(["asc", "desc"]).optional().describe("Defaults to desc: newest or most first."),
  limit: z
    .int()
    .min(1)
    .max(linksMax)
    .default(linksDefault)
    .describe(`Number of links to return, up to ${linksMax}.`),
  cursor: z.string().max(255).optional().describe("The cursor of the previous answer."),
});
type ListInput = z.output<typeof listInput>;

export function addLinkTools(server: McpServer, fuxi: Fuxi): void {
  addReads(server, fuxi);
  addWrites(server, fuxi);
}

function addReads(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "list_links",
    {
      title: "List or search links",
      description: "Lists short links, newest first, that match all given filters.",
      inputSchema: listInput,
      outputSchema: z.looseObject({
        total: z.number().optional(),
        links: z.array(linkAnswer),
        more: z.string().optional(),
        cursor: z.string().optional(),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    answering((input) => listLinks(fuxi, input)),
  );
  server.registerTool(
    "get_link",
    {
      title: "Get a link",
      description: "Returns all settings of one short link, and how often it was clicked.",
      inputSchema: z.strictObject({ link: linkReference }),
      outputSchema: z.looseObject({ link: linkAnswer }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    answering(async ({ link }) => ({ link: wholeLink(await findLink(fuxi, link)) })),
  );
}

async function listLinks(fuxi: Fuxi, { limit, cursor, clicked, tagNames, ...input }: ListInput) {
  const filters = given({
    ...input,
    clicked: clicked === undefined ? undefined : (`${clicked}` as const),
    tagNames: tagNames ?? undefined,
  });
  // Requests one link more than asked for, to find out whether there are more.
  const query = { ...filters, pageSize: limit + 1, ...given({ startingAfter: cursor }) };
  const page = await dataOf(fuxi.GET("/api/links", { params: { query } }));
  const links = page.slice(0, limit);
  const hasMore = page.length > limit;
  const count = () => dataOf(fuxi.GET("/api/links/count", { params: { query: filters } }));
  const total = cursor === undefined ? await (hasMore ? count() : links.length) : undefined;
  const left = typeof total === "number" ? `${total - links.length} more` : "More";
  return {
    total,
    links: links.map(briefLink),
    more: hasMore ? `${left}: call list_links again with this cursor and the same filters.` : "",
    cursor: hasMore ? links.at(-1)?.id : undefined,
  };
}

function addWrites(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "create_link",
    {
      title: "Create a link",
      description:
        "Creates a short link to a destination URL. Without a key, the slug is generated; without a domain, the primary domain of the workspace is used.",
      inputSchema: createInput,
      outputSchema: z.looseObject({ link: linkAnswer }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    answering(async (body) => ({
      link: wholeLink(await dataOf(fuxi.POST("/api/links", { body: given(body) }))),
    })),
  );
  server.registerTool(
    "update_link",
    {
      title: "Update a link",
      description:
        "Changes the given fields of a link; null clears a field, and omitted fields don’t change. A new url takes effect immediately.",
      inputSchema: editInput,
      outputSchema: z.looseObject({ link: linkAnswer }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    answering(async ({ link, ...body }) => {
      const path = { id: (await findLink(fuxi, link)).id };
      const edited = fuxi.PATCH("/api/links/{id}", { params: { path }, body: given(body) });
      return { link: wholeLink(await dataOf(edited)) };
    }),
  );
  server.registerTool(
    "delete_link",
    {
      title: "Delete a link",
      description:
        "Deletes a link for good: its short link stops working within a second. To keep it, set disabled or archived with update_link. Ask the user first.",
      inputSchema: z.strictObject({ link: linkReference }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    },
    answering(async ({ link }) => {
      const found = await findLink(fuxi, link);
      const path = { id: found.id };
      await dataOf(fuxi.DELETE("/api/links/{id}", { params: { path } }));
      return { deleted: { id: found.id, shortLink: found.shortLink } };
    }),
  );
}
