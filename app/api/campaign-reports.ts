/** Reports of campaigns over the API. */
import { createRoute, z } from "@hono/zod-openapi";
import { compareCampaigns, getCampaignReport } from "#lib/outreach/campaign-reports";
import { campaignReportShape, compareCampaignsQuery } from "#lib/outreach/campaign-reports/schema";
import { newRouter, responses } from "./router.ts";

const tags = ["Campaigns"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const report = z.object(campaignReportShape.shape).openapi("CampaignReport");
const params = z.object({ id: z.string().openapi({ example: "camp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const get = createRoute({
  method: "get",
  path: "/campaigns/{id}/report",
  operationId: "getCampaignReport",
  tags,
  summary: "Get the report of a campaign",
  description:
    "What became of the messages, who clicked and who opted out, in total and by variant, and the reasons of messages that were not delivered. Clicks don’t include bots.",
  request: { params },
  responses: responses(200, report, "The report."),
});

const compare = createRoute({
  method: "get",
  path: "/campaign-reports",
  operationId: "compareCampaigns",
  tags,
  summary: "Compare campaigns",
  description: "The reports of 2 to 5 campaigns, in the order of their ids.",
  request: { query: compareCampaignsQuery },
  responses: responses(200, z.array(report), "The reports."),
});

export const campaignReports = newRouter();

campaignReports.openapi(get, async (c) =>
  c.json(await getCampaignReport(c.get("scope"), c.req.valid("param").id), 200),
);
campaignReports.openapi(compare, async (c) =>
  c.json(await compareCampaigns(c.get("scope"), c.req.valid("query")), 200),
);
