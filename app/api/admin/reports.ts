/** The queue of reported links, for administrators. */
import { createRoute, z } from "@hono/zod-openapi";
import { decideReports, listReports } from "#lib/office/reports";
import { decideReportsBody, reportedLinkShape } from "#lib/office/reports/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

const idCharsMax = 100;

const list = createRoute({
  method: "get",
  path: "/reports",
  summary: "List reported links",
  description: "Links with open reports, those with the most first, up to 100.",
  responses: responses(200, z.array(reportedLinkShape), "Reported links."),
});

const decide = createRoute({
  method: "post",
  path: "/reports/{linkId}",
  summary: "Decide the reports of a link",
  description:
    "Dismisses all open reports of the link, or bans the link, its destination host or its workspace. Reporters who left an email address are answered.",
  request: {
    params: z.object({ linkId: z.string().max(idCharsMax) }),
    ...jsonBody(decideReportsBody),
  },
  responses: responses(200, z.object({ linkId: z.string() }), "The id of the link."),
});

export const reports = newRouter();

reports.openapi(list, async (c) => c.json(await listReports(c.get("operator")), 200));
reports.openapi(decide, async (c) => {
  const { linkId } = c.req.valid("param");
  await decideReports(c.get("operator"), linkId, c.req.valid("json"));
  return c.json({ linkId }, 200);
});
