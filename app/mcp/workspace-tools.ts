import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { detailedReportShape } from "#lib/outreach/campaign-reports/schema";
import type { Fuxi } from "../sdk/index.ts";
import { answering, dataOf, given } from "./answers.ts";
import { pick } from "./link-answers.ts";

const rowsDefault = 20;
const rowsMax = 50;
const listedMax = 5;

export const campaignId = z
  .string()
  .trim()
  .max(64)
  .describe("The id of a campaign (camp_…), as list_campaigns returns it.");
const limit = z.int().min(1).max(rowsMax).default(rowsDefault);
const reportAnswer = detailedReportShape.omit({
  firstClicks: true,
  clicksByTime: true,
  cities: true,
});
const readOnly = { readOnlyHint: true, openWorldHint: false };

export function addDomainTools(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "list_domains",
    {
      title: "List domains",
      description:
        "Lists the workspace’s own domains for short links, the primary one first. Links can also be created on the default domain of the instance.",
      inputSchema: z.strictObject({
        search: z.string().trim().max(253).optional().describe("Part of the domain."),
        limit,
      }),
      annotations: readOnly,
    },
    answering(async ({ search, limit: pageSize }) => {
      const query = { pageSize, ...given({ search }) };
      const domains = await dataOf(fuxi.GET("/api/domains", { params: { query } }));
      return {
        domains: domains.map(({ slug, verified, primary }) => ({
          domain: slug,
          state: verified ? "active" : "pending",
          primary,
        })),
      };
    }),
  );
}

export function addCampaignTools(server: McpServer, fuxi: Fuxi): void {
  addCampaignList(server, fuxi);
  server.registerTool(
    "get_campaign_status",
    {
      title: "Get the status of a campaign",
      description:
        "Returns the counts of recipients, clicks and message parts of a campaign, and its costs.",
      inputSchema: z.strictObject({ campaign: campaignId }),
      annotations: readOnly,
    },
    answering(async ({ campaign }) => {
      const path = { id: campaign };
      return await dataOf(fuxi.GET("/api/campaigns/{id}/status", { params: { path } }));
    }),
  );
  server.registerTool(
    "get_campaign_report",
    {
      title: "Get the report of a campaign",
      description:
        "Returns what happened to the messages of a campaign, who clicked and who opted out, in total and by variant, with the most frequent countries, devices and delivery problems. Has no phones or names of recipients.",
      inputSchema: z.strictObject({ campaign: campaignId }),
      annotations: readOnly,
    },
    answering(({ campaign }) => readReport(fuxi, campaign)),
  );
}

export async function readReport(fuxi: Fuxi, id: string) {
  const answer = await dataOf(fuxi.GET("/api/campaigns/{id}/report", { params: { path: { id } } }));
  const report = reportAnswer.parse(answer);
  return {
    ...report,
    countries: report.countries.slice(0, listedMax),
    devices: report.devices.slice(0, listedMax),
    codes: report.codes.slice(0, listedMax),
  };
}

function addCampaignList(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "list_campaigns",
    {
      title: "List campaigns",
      description:
        "Lists campaigns (text messages with one short link per recipient), newest first.",
      inputSchema: z.strictObject({
        limit,
        cursor: z.string().max(64).optional().describe("The cursor of the previous answer."),
      }),
      annotations: readOnly,
    },
    answering(async ({ limit: shown, cursor }) => {
      const query = { pageSize: shown + 1, ...given({ startingAfter: cursor }) };
      const page = await dataOf(fuxi.GET("/api/campaigns", { params: { query } }));
      const campaigns = page.slice(0, shown);
      const hasMore = page.length > shown;
      return {
        campaigns: campaigns.map((campaign) =>
          pick(campaign, [
            "id",
            "name",
            "kind",
            "destination",
            "recipients",
            "refused",
            "createdAt",
          ]),
        ),
        more: hasMore ? "More: call list_campaigns again with this cursor." : "",
        cursor: hasMore ? campaigns.at(-1)?.id : undefined,
      };
    }),
  );
}
