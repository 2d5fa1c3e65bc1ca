/** Bans and appeals, for administrators. */
import { createRoute, z } from "@hono/zod-openapi";
import { createBan, decideAppeal, liftBan, listAppeals, listBans } from "#lib/office/bans";
import {
  appealShape,
  banBody,
  banShape,
  bansQuery,
  decideAppealBody,
  liftBody,
} from "#lib/tenancy/bans/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

const idCharsMax = 100;
const params = z.object({ id: z.string().max(idCharsMax) });

const list = createRoute({
  method: "get",
  path: "/bans",
  summary: "List bans",
  description: "Newest first. Active ones unless `state` says otherwise.",
  request: { query: bansQuery },
  responses: responses(200, z.array(banShape), "Bans."),
});

const create = createRoute({
  method: "post",
  path: "/bans",
  summary: "Ban a link, a host, a workspace or a person",
  description:
    "Visitors of banned links see that they were disabled and why. Members of a banned workspace can view and export it. A banned person can’t sign in. Their owners are told and can appeal once.",
  request: jsonBody(banBody),
  responses: responses(201, banShape, "The ban."),
});

const lift = createRoute({
  method: "post",
  path: "/bans/{id}/lift",
  summary: "Lift a ban",
  description: "Whatever was banned is as before the ban.",
  request: { params, ...jsonBody(liftBody) },
  responses: responses(200, banShape, "The lifted ban."),
});

const appeals = createRoute({
  method: "get",
  path: "/bans/appeals",
  summary: "List open appeals",
  responses: responses(200, z.array(appealShape), "Open appeals, the oldest first."),
});

const decide = createRoute({
  method: "post",
  path: "/bans/{id}/appeal",
  summary: "Accept or decline an appeal",
  request: { params, ...jsonBody(decideAppealBody) },
  responses: responses(200, z.object({ id: z.string() }), "The id of the ban."),
});

export const bans = newRouter();

bans.openapi(appeals, async (c) => c.json(await listAppeals(c.get("operator")), 200));
bans.openapi(list, async (c) =>
  c.json(await listBans(c.get("operator"), c.req.valid("query")), 200),
);
bans.openapi(create, async (c) =>
  c.json(await createBan(c.get("operator"), c.req.valid("json")), 201),
);
bans.openapi(lift, async (c) => {
  const { id } = c.req.valid("param");
  return c.json(await liftBan(c.get("operator"), id, c.req.valid("json").note), 200);
});
bans.openapi(decide, async (c) => {
  const { id } = c.req.valid("param");
  await decideAppeal(c.get("operator"), id, c.req.valid("json"));
  return c.json({ id }, 200);
});
