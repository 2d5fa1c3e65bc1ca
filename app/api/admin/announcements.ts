/** /api/admin/announcements: what administrators announce to everyone who is signed in. */
import { createRoute, z } from "@hono/zod-openapi";
import { createAnnouncement, endAnnouncement, listAnnouncements } from "#lib/tenancy/announcements";
import { announcementShape, createAnnouncementBody } from "#lib/tenancy/announcements/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

export const announcements = newRouter();

const idCharsMax = 100;

announcements.openapi(
  createRoute({
    method: "get",
    path: "/announcements",
    summary: "List announcements",
    responses: responses(200, z.array(announcementShape), "The latest 50, newest first."),
  }),
  async (c) => c.json(await listAnnouncements(c.get("operator")), 200),
);

announcements.openapi(
  createRoute({
    method: "post",
    path: "/announcements",
    summary: "Create an announcement",
    request: jsonBody(createAnnouncementBody),
    responses: responses(201, announcementShape, "Created."),
  }),
  async (c) => c.json(await createAnnouncement(c.get("operator"), c.req.valid("json")), 201),
);

announcements.openapi(
  createRoute({
    method: "post",
    path: "/announcements/{id}/end",
    summary: "End an announcement",
    request: {
      params: z.object({ id: z.string().min(1).max(idCharsMax) }),
      ...jsonBody(z.strictObject({ reason: reasonField })),
    },
    responses: responses(200, z.object({ id: z.string() }), "Ended."),
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    await endAnnouncement(c.get("operator"), id, c.req.valid("json").reason);
    return c.json({ id }, 200);
  },
);
