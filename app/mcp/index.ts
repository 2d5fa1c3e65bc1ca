/**
 * The MCP server: tools with which a model uses Fuxi. They call the public REST API with the caller’s own key and nothing
 * else, so its permissions, limits and audit log apply to them.
 */
import { McpServer } from "@modelcontextprotocol/server";
import type { Fuxi } from "../sdk/index.ts";
import { addAnalyticsTools } from "./analytics-tools.ts";
import { dataNotice } from "./answers.ts";
import { addLinkTools } from "./link-tools.ts";
import { addQrTools } from "./qr-tools.ts";
import { addCampaignTools, addDomainTools } from "./workspace-tools.ts";

const serverInfo = { name: "fuxi", title: "Fuxi", version: "1.0.0" };
/** As the page of the API key shows it. */
export const application = `fuxi-mcp/${serverInfo.version}`;

const instructions = `Fuxi makes short links and counts their clicks. All tools work in the workspace of the API key. A link is given by its id or its short link. ${dataNotice}`;

/** For one request over HTTP, or one connection over stdio. */
export function openMcpServer(fuxi: Fuxi): McpServer {
  const capabilities = { tools: { listChanged: false } };
  const server = new McpServer(serverInfo, { instructions, capabilities });
  addLinkTools(server, fuxi);
  addAnalyticsTools(server, fuxi);
  addQrTools(server, fuxi);
  addDomainTools(server, fuxi);
  addCampaignTools(server, fuxi);
  return server;
}
