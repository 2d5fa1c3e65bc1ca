/** Bans and appeals, for administrators. */
import { z } from "@hono/zod-openapi";
import { createBan, decideAppeal, liftBan, listAppeals, listBans } from "#lib/office/bans";
import {
  appealShape,
  banBody,
  banShape,
  bansQuery,
  decideAppealBody,
  liftBody,
} from "#lib/tenancy/bans/schema";
import { OfficeResource } from "../router.ts";

const idCharsMax = 100;
const params = z.object({ id: z.string().max(idCharsMax) });

export const bans = new OfficeResource();

bans.answer("get /bans/appeals", {
  summary: "List open appeals",
  returns: [200, z.array(appealShape), "Open appeals, the oldest first."],
  run: ({ operator }) => listAppeals(operator),
});

bans.answer("get /bans", {
  summary: "List bans",
  description: "Newest first. Active ones unless `state` says otherwise.",
  request: { query: bansQuery },
  returns: [200, z.array(banShape), "Bans."],
  run: ({ operator, query }) => listBans(operator, query),
});

bans.answer("post /bans", {
  summary: "Ban a link, a host, a workspace or a person",
  description:
    "Visitors of banned links see that they were disabled and why. Members of a banned workspace can view and export it. A banned person can’t sign in. Their owners are notified and can appeal once.",
  request: { body: banBody },
  returns: [201, banShape, "The ban."],
  run: ({ operator, body }) => createBan(operator, body),
});

bans.answer("post /bans/{id}/lift", {
  summary: "Lift a ban",
  description: "Everything works as it did before the ban.",
  request: { params, body: liftBody },
  returns: [200, banShape, "The lifted ban."],
  run: ({ operator, params: { id }, body }) => liftBan(operator, id, body.note),
});

bans.answer("post /bans/{id}/appeal", {
  summary: "Accept or decline an appeal",
  request: { params, body: decideAppealBody },
  returns: [200, z.object({ id: z.string() }), "The id of the ban."],
  run: async ({ operator, params: { id }, body }) => {
    await decideAppeal(operator, id, body);
    return { id };
  },
});
