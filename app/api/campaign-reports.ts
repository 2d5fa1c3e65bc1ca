import { z } from "@hono/zod-openapi";
import {
  compareCampaigns,
  exportCampaignReport,
  getCampaignReport,
} from "#lib/outreach/campaign-reports";
import * as fields from "#lib/outreach/campaign-reports/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { idParams, named, Resource, responses } from "./router.ts";

const report = named("CampaignReport", fields.campaignReportShape);
const detailed = named("DetailedCampaignReport", fields.detailedReportShape);
const { 200: answer, ...failures } = responses(200, detailed, "The report.");
const params = idParams("camp", "The id of the campaign.");

export const campaignReports = new Resource("Campaigns");

campaignReports.respond("getCampaignReport", "get /campaigns/{id}/report", {
  ...access("campaigns.read"),
  summary: "Get the report of a campaign",
  description:
    "What happened to the messages, who clicked and who opted out, in total and by variant, why messages weren’t delivered, and when, where and on what device recipients clicked first. Clicks don’t include bots.",
  request: { params, query: fields.reportQuery },
  responses: {
    ...failures,
    200: { ...answer, content: { ...answer.content, "text/csv": { schema: z.string() } } },
  },
  run: async ({ c, scope, params: { id }, query }) =>
    query.format === "csv"
      ? sendFile(c, await exportCampaignReport(scope, id))
      : c.json(await getCampaignReport(scope, id), 200),
});

campaignReports.answer("compareCampaigns", "get /campaign-reports", {
  ...access("campaigns.read"),
  summary: "Compare campaigns",
  description: "The reports of 2 to 5 campaigns, in the order of their ids.",
  request: { query: fields.compareCampaignsQuery },
  returns: [200, z.array(report), "The reports."],
  run: ({ scope, query }) => compareCampaigns(scope, query),
});
