/** The queue of reported links, for administrators. */
import { z } from "@hono/zod-openapi";
import { decideReports, listReports } from "#lib/office/reports";
import { decideReportsBody, reportedLinkShape } from "#lib/office/reports/schema";
import { OfficeResource } from "../router.ts";

const idCharsMax = 100;

export const reports = new OfficeResource();

reports.answer("get /reports", {
  summary: "List reported links",
  description: "Links with open reports, those with the most first, up to 100.",
  returns: [200, z.array(reportedLinkShape), "Reported links."],
  run: ({ operator }) => listReports(operator),
});
reports.answer("post /reports/{linkId}", {
  summary: "Decide the reports of a link",
  description:
    "Dismisses all open reports of the link, or bans the link, its destination host or its workspace. Reporters who left an email address are answered.",
  request: {
    params: z.object({ linkId: z.string().max(idCharsMax) }),
    body: decideReportsBody,
  },
  returns: [200, z.object({ linkId: z.string() }), "The id of the link."],
  run: async ({ operator, params: { linkId }, body }) => {
    await decideReports(operator, linkId, body);
    return { linkId };
  },
});
