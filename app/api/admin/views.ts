/** GET /api/admin/…: one workspace, link, domain or person, and what administrators did. */
import { createRoute, z } from "@hono/zod-openapi";
import { readOverview } from "#lib/office/overview";
import { overviewShape } from "#lib/office/overview/schema";
import { listOperations, viewDomain, viewLink, viewPerson, viewWorkspace } from "#lib/office/views";
import type { OperatorScope } from "#lib/tenancy/operators";
import { newRouter, responses } from "../router.ts";

export const views = newRouter();

const idCharsMax = 100;

views.openapi(
  createRoute({
    method: "get",
    path: "/overview",
    summary: "Figures of the instance",
    responses: responses(200, overviewShape, "The figures."),
  }),
  async (c) => c.json(await readOverview(c.get("operator")), 200),
);

views.openapi(
  createRoute({
    method: "get",
    path: "/audit",
    summary: "What administrators did and viewed",
    request: { query: z.object({ startingAfter: z.string().max(idCharsMax).optional() }) },
    responses: responses(200, z.array(z.unknown()), "Up to 50 entries, newest first."),
  }),
  async (c) => {
    const { startingAfter } = c.req.valid("query");
    return c.json(await listOperations(c.get("operator"), startingAfter), 200);
  },
);

const pages: Readonly<Record<string, (operator: OperatorScope, id: string) => Promise<object>>> = {
  workspaces: viewWorkspace,
  links: viewLink,
  domains: viewDomain,
  people: viewPerson,
};

for (const [name, view] of Object.entries(pages)) {
  views.openapi(
    createRoute({
      method: "get",
      path: `/${name}/{id}`,
      summary: `One of the ${name}`,
      request: { params: z.object({ id: z.string().max(idCharsMax) }) },
      responses: responses(200, z.looseObject({}), "Its data."),
    }),
    async (c) => c.json({ ...(await view(c.get("operator"), c.req.valid("param").id)) }, 200),
  );
}
