import { z } from "@hono/zod-openapi";
import { dropJob, readSystem, retryJob } from "#lib/office/system";
import { systemShape } from "#lib/office/system/schema";
import { createAnnouncement, endAnnouncement, listAnnouncements } from "#lib/tenancy/announcements";
import { announcementShape, createAnnouncementBody } from "#lib/tenancy/announcements/schema";
import { listFeatures, switchFeature } from "#lib/tenancy/features";
import { featureNames, featureShape, switchFeatureBody } from "#lib/tenancy/features/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { OfficeResource } from "../router.ts";

export const system = new OfficeResource();

const idCharsMax = 100;

system.answer("get /system", {
  summary: "Get processes, queues and failed jobs",
  returns: [200, systemShape, "Processes by name, failed jobs newest first."],
  run: ({ operator }) => readSystem(operator),
});

const nameCharsMax = 200;
const name = z.string().min(1).max(nameCharsMax);
const jobChanges = { retry: retryJob, drop: dropJob };

for (const [verb, change] of Object.entries(jobChanges)) {
  system.answer(`post /jobs/{queue}/{id}/${verb}`, {
    summary: `Failed job: ${verb}`,
    request: {
      params: z.object({ queue: name, id: name }),
      body: z.strictObject({ reason: reasonField }),
    },
    returns: [200, z.object({ queue: z.string(), id: z.string() }), "Changed."],
    run: async ({ operator, params, body }) => {
      await change(operator, params, body.reason);
      return params;
    },
  });
}

const featuresShape = z.array(featureShape);

system.answer("get /features", {
  summary: "List features",
  returns: [200, featuresShape, "All features, and whether they are on."],
  run: ({ operator }) => listFeatures(operator),
});

system.answer("put /features/{name}", {
  summary: "Turn a feature off or on",
  description:
    "Only affects new uses: existing links and settings keep working. Takes effect within a second.",
  request: { params: z.object({ name: z.enum(featureNames) }), body: switchFeatureBody },
  returns: [200, featuresShape, "All features after the change."],
  run: async ({ operator, params, body }) => {
    await switchFeature(operator, params.name, body);
    return await listFeatures(operator);
  },
});

system.answer("get /announcements", {
  summary: "List announcements",
  returns: [200, z.array(announcementShape), "The latest 50, newest first."],
  run: ({ operator }) => listAnnouncements(operator),
});

system.answer("post /announcements", {
  summary: "Create an announcement",
  request: { body: createAnnouncementBody },
  returns: [201, announcementShape, "Created."],
  run: ({ operator, body }) => createAnnouncement(operator, body),
});

system.answer("post /announcements/{id}/end", {
  summary: "End an announcement",
  request: {
    params: z.object({ id: z.string().max(idCharsMax) }),
    body: z.strictObject({ reason: reasonField }),
  },
  returns: [200, z.object({ id: z.string() }), "Ended."],
  run: async ({ operator, params: { id }, body }) => {
    await endAnnouncement(operator, id, body.reason);
    return { id };
  },
});
