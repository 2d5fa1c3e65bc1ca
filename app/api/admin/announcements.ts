/** /api/admin/announcements: what administrators announce to everyone who is signed in. */
import { z } from "@hono/zod-openapi";
import { createAnnouncement, endAnnouncement, listAnnouncements } from "#lib/tenancy/announcements";
import { announcementShape, createAnnouncementBody } from "#lib/tenancy/announcements/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { OfficeResource } from "../router.ts";

export const announcements = new OfficeResource();

const idCharsMax = 100;

announcements.answer("get /announcements", {
  summary: "List announcements",
  returns: [200, z.array(announcementShape), "The latest 50, newest first."],
  run: ({ operator }) => listAnnouncements(operator),
});

announcements.answer("post /announcements", {
  summary: "Create an announcement",
  request: { body: createAnnouncementBody },
  returns: [201, announcementShape, "Created."],
  run: ({ operator, body }) => createAnnouncement(operator, body),
});

announcements.answer("post /announcements/{id}/end", {
  summary: "End an announcement",
  request: {
    params: z.object({ id: z.string().min(1).max(idCharsMax) }),
    body: z.strictObject({ reason: reasonField }),
  },
  returns: [200, z.object({ id: z.string() }), "Ended."],
  run: async ({ operator, params: { id }, body }) => {
    await endAnnouncement(operator, id, body.reason);
    return { id };
  },
});
