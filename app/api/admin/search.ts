/** GET /api/admin/search: anything of the instance, by one text. */
import { z } from "@hono/zod-openapi";
import { searchOffice } from "#lib/office/search";
import { searchShape, searchText } from "#lib/office/search/schema";
import { OfficeResource } from "../router.ts";

export const search = new OfficeResource();

search.answer("get /search", {
  summary: "Find links, codes, domains, workspaces and people",
  request: { query: z.object({ text: searchText }) },
  returns: [200, searchShape, "The results, exact ones first."],
  run: ({ operator, query }) => searchOffice(operator, query.text),
});
