import { z } from "@hono/zod-openapi";
import { createBan, decideAppeal, liftBan, listAppeals, listBans } from "#lib/office/bans";
import { decideReports, listReports } from "#lib/office/reports";
import { decideReportsBody, reportedLinkShape } from "#lib/office/reports/schema";
import * as fields from "#lib/tenancy/bans/schema";
import { OfficeResource } from "../router.ts";

export const bans = new OfficeResource();

const idCharsMax = 100;
const params = z.object({ id: z.string().max(idCharsMax) });

bans.answer("get /bans/appeals", {
  summary: "List open appeals",
  returns: [200, z.array(fields.appealShape), "Open appeals, the oldest first."],
  run: ({ operator }) => listAppeals(operator),
});

bans.answer("get /bans", {
  summary: "List bans",
  description: "Newest first. Active ones unless `state` says otherwise.",
  request: { query: fields.bansQuery },
  returns: [200, z.array(fields.banShape), "Bans."],
  run: ({ operator, query }) => listBans(operator, query),
});

bans.answer("post /bans", {
  summary: "Ban a link, a host, a workspace or a person",
  description:
    "Visitors of banned links see that they were disabled and why. Members of a banned workspace can view and export it. A banned person can’t sign in. Their owners are notified and can appeal once.",
  request: { body: fields.banBody },
  returns: [201, fields.banShape, "The ban."],
  run: ({ operator, body }) => createBan(operator, body),
});

bans.answer("post /bans/{id}/lift", {
  summary: "Lift a ban",
  description: "Everything works as it did before the ban.",
  request: { params, body: fields.liftBody },
  returns: [200, fields.banShape, "The lifted ban."],
  run: ({ operator, params: { id }, body }) => liftBan(operator, id, body.note),
});

bans.answer("post /bans/{id}/appeal", {
  summary: "Accept or decline an appeal",
  request: { params, body: fields.decideAppealBody },
  returns: [200, z.object({ id: z.string() }), "The id of the ban."],
  run: async ({ operator, params: { id }, body }) => {
    await decideAppeal(operator, id, body);
    return { id };
  },
});

bans.answer("get /reports", {
  summary: "List reported links",
  description: "Links with open reports, those with the most first, up to 100.",
  returns: [200, z.array(reportedLinkShape), "Reported links."],
  run: ({ operator }) => listReports(operator),
});

bans.answer("post /reports/{linkId}", {
  summary: "Decide the reports of a link",
  description:
    "Dismisses all open reports of the link, or bans the link, its destination host or its workspace. Reporters who left an email address are answered.",
  request: { params: z.object({ linkId: params.shape.id }), body: decideReportsBody },
  returns: [200, z.object({ linkId: z.string() }), "The id of the link."],
  run: async ({ operator, params: { linkId }, body }) => {
    await decideReports(operator, linkId, body);
    return { linkId };
  },
});
