/**
 * The MCP server: tools with which a model uses Fuxi. They call the public REST API with the caller’s own key and nothing
 * else, so its permissions, limits and audit log apply to them.
 */
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { pictureWidthMin } from "#lib/outreach/qr/schema";
import type { Fuxi } from "../sdk/index.ts";
import { addAnalyticsTools } from "./analytics-tools.ts";
import { answeringWithImage, dataNotice, dataOf } from "./answers.ts";
import { findLink, linkReference } from "./link-answers.ts";
import { addLinkTools } from "./link-tools.ts";
import { addPrompts, addResources } from "./resources.ts";
import { addCampaignTools, addDomainTools } from "./workspace-tools.ts";

const serverInfo = { name: "fuxi", title: "Fuxi", version: "1.0.0" };
/** The page of the API key shows this name. */
export const application = `fuxi-mcp/${serverInfo.version}`;

const instructions = `Fuxi makes short links and counts their clicks. All tools work in the workspace of the API key. A link is given by its id or its short link. ${dataNotice}`;

/** Opened once per request over HTTP, or once per connection over stdio. */
export function openMcpServer(fuxi: Fuxi): McpServer {
  const fixed = { listChanged: false };
  const capabilities = { tools: fixed, resources: fixed, prompts: fixed };
  const server = new McpServer(serverInfo, { instructions, capabilities });
  addLinkTools(server, fuxi);
  addAnalyticsTools(server, fuxi);
  addQrTools(server, fuxi);
  addDomainTools(server, fuxi);
  addCampaignTools(server, fuxi);
  addResources(server, fuxi);
  addPrompts(server);
  return server;
}

const pixelsDefault = 512;
/** An image is part of the answer, so its size is limited. The URL has any size. */
const pixelsMax = 1_024;

function addQrTools(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "get_qr_code",
    {
      title: "Get the QR code of a link",
      description:
        "Returns the QR code of a link as a PNG image and as a URL for web pages and emails. Visits through it count as QR scans.",
      inputSchema: z.strictObject({
        link: linkReference,
        size: z
          .int()
          .min(pictureWidthMin)
          .max(pixelsMax)
          .default(pixelsDefault)
          .describe("Width in pixels."),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    answeringWithImage(async ({ link, size }) => {
      const { id, shortLink, qrCode } = await findLink(fuxi, link);
      const params = { path: { id }, query: { format: "png", size } } as const;
      const image = fuxi.GET("/api/links/{id}/qr", { params, parseAs: "arrayBuffer" });
      const png = new Uint8Array(await dataOf<ArrayBuffer>(image));
      return { answer: { shortLink, imageUrl: qrCode }, png };
    }),
  );
}
