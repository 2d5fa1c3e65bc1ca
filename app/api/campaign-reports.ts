/** Reports of campaigns over the API. */
import { z } from "@hono/zod-openapi";
import {
  compareCampaigns,
  exportCampaignReport,
  getCampaignReport,
} from "#lib/outreach/campaign-reports";
import {
  campaignReportShape,
  compareCampaignsQuery,
  detailedReportShape,
  reportQuery,
} from "#lib/outreach/campaign-reports/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { createRoute, newRouter, responses } from "./router.ts";

const tags = ["Campaigns"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const report = z.object(campaignReportShape.shape).openapi("CampaignReport");
const detailed = z.object(detailedReportShape.shape).openapi("DetailedCampaignReport");
const { 200: answer, ...failures } = responses(200, detailed, "The report.");
const params = z.object({ id: z.string().openapi({ example: "camp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const get = createRoute({
  method: "get",
  path: "/campaigns/{id}/report",
  operationId: "getCampaignReport",
  ...access("campaigns.read"),
  tags,
  summary: "Get the report of a campaign",
  description:
    "What became of the messages, who clicked and who opted out, in total and by variant, the reasons of messages that were not delivered, and when, where and on what device recipients clicked first. Clicks don’t include bots.",
  request: { params, query: reportQuery },
  responses: {
    ...failures,
    200: { ...answer, content: { ...answer.content, "text/csv": { schema: z.string() } } },
  },
});

const compare = createRoute({
  method: "get",
  path: "/campaign-reports",
  operationId: "compareCampaigns",
  ...access("campaigns.read"),
  tags,
  summary: "Compare campaigns",
  description: "The reports of 2 to 5 campaigns, in the order of their ids.",
  request: { query: compareCampaignsQuery },
  responses: responses(200, z.array(report), "The reports."),
});

export const campaignReports = newRouter();

campaignReports.openapi(get, async (c) => {
  const { id } = c.req.valid("param");
  return c.req.valid("query").format === "csv"
    ? sendFile(c, await exportCampaignReport(c.get("scope"), id))
    : c.json(await getCampaignReport(c.get("scope"), id), 200);
});
campaignReports.openapi(compare, async (c) =>
  c.json(await compareCampaigns(c.get("scope"), c.req.valid("query")), 200),
);
