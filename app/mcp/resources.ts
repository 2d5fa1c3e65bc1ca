/** What people attach to a conversation: a link or the report of a campaign, and prompts that use the tools well. */
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Fuxi } from "../sdk/index.ts";
import { readAs } from "./answers.ts";
import { findLink, linkReference, wholeLink } from "./link-answers.ts";
import { campaignId, readReport } from "./workspace-tools.ts";

const mimeType = "application/json";

export function addResources(server: McpServer, fuxi: Fuxi): void {
  server.registerResource(
    "link",
    // Workspaces have too many links for a list, and list_links searches them.
    new ResourceTemplate("fuxi://links/{id}", { list: undefined }),
    { title: "A link", description: "All settings of a short link, and its clicks.", mimeType },
    (uri, { id }) => readAs(uri, async () => ({ link: wholeLink(await findLink(fuxi, `${id}`)) })),
  );
  server.registerResource(
    "campaign-report",
    new ResourceTemplate("fuxi://campaigns/{id}/report", { list: undefined }),
    {
      title: "The report of a campaign",
      description: "What happened to the messages of a campaign, and who clicked.",
      mimeType,
    },
    (uri, { id }) => readAs(uri, () => readReport(fuxi, `${id}`)),
  );
}

export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    "explain_clicks",
    {
      title: "Explain the clicks of a link",
      description: "How a link did in the last 30 days, what drove it, and what to try next.",
      argsSchema: z.object({ link: linkReference }),
    },
    ({ link }) =>
      asUser(
        `Explain how the link ${link} did in the last 30 days. Use get_click_totals, get_clicks_over_time, and list_top_values for countries, referers and devices. Compare with the period before, name unusual days, and suggest what to try next.`,
      ),
  );
  server.registerPrompt(
    "summarize_campaign",
    {
      title: "Summarize a campaign",
      description: "The results of a campaign in a few sentences, for people who don’t know it.",
      argsSchema: z.object({ campaign: campaignId }),
    },
    ({ campaign }) =>
      asUser(
        `Summarize the campaign ${campaign} for a reader who doesn’t know it. Use get_campaign_status and get_campaign_report. Say how many messages arrived, how many people clicked and opted out, what it cost, and which variant did best.`,
      ),
  );
}

function asUser(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}
