/**
 * The MCP server over Streamable HTTP. It is stateless: each request gets a server of its own, so any process may answer any
 * request. Older clients, which begin with `initialize`, are answered the same way.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { openFuxi } from "../sdk/index.ts";
import { application, openMcpServer } from "./index.ts";

export interface McpCall {
  request: Request;
  body: unknown;
  address: string;
  /** The caller’s header, which the API calls of the tools send too. */
  authorization: string;
  callApi: (request: Request) => Promise<Response>;
}

export function answerMcp({
  request,
  body,
  address,
  authorization,
  callApi,
}: McpCall): Promise<Response> {
  const apiKey = authorization.replace(/^Bearer\s+/, "");
  const fuxi = openFuxi({ address, apiKey, application, fetch: callApi });
  // Tools never change, so there is nothing to subscribe to, and no stream stays open.
  const handler = createMcpHandler(() => openMcpServer(fuxi), { maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: body });
}
