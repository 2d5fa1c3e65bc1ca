/** GET /api/admin/search: anything of the instance, by one text. */
import { createRoute, z } from "@hono/zod-openapi";
import { searchOffice } from "#lib/office/search";
import { searchShape, searchText } from "#lib/office/search/schema";
import { newRouter, responses } from "../router.ts";

export const search = newRouter();

search.openapi(
  createRoute({
    method: "get",
    path: "/search",
    summary: "Find links, codes, domains, workspaces and people",
    request: { query: z.object({ text: searchText }) },
    responses: responses(200, searchShape, "The results, exact ones first."),
  }),
  async (c) => c.json(await searchOffice(c.get("operator"), c.req.valid("query").text), 200),
);
