/**
 * The MCP server at /api/mcp. Not in the API document, because its messages are JSON-RPC.
 *
 * Requests need an API key. The tools call the API with the same key, which applies permissions, limits and the audit log to each
 * call, so a request whose tool called the API is not counted again. A request with an unknown tool or invalid arguments counts
 * like any other.
 */
import type { Context } from "hono";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { checkBody } from "./body.ts";
import { scopeOfCaller } from "./caller.ts";
import { countCall } from "./rate.ts";
import { readJson } from "./read-json.ts";
import { type ApiContext, type ApiEnv, newRouter } from "./router.ts";

type CallApi = (request: Request, address: string) => Response | Promise<Response>;

export function openMcpRouter(callApi: CallApi) {
  const router = newRouter();
  router.all("/mcp", async (c: Context<ApiEnv>) => {
    // defence: mcp-origin
    assertOrigin(c);
    const authorization = c.req.header("authorization");
    if (authorization === undefined) throw keyMissing(c);
    const scope = await scopeOfCaller(c);
    await checkBody(c);
    const body = c.req.method === "POST" ? await readJson(c) : undefined;
    const callsLater = callsApi(body);
    if (!callsLater) await countCall(c, scope);
    let isCounted = !callsLater;
    // Loaded on demand, only by the processes that need it.
    const { answerMcp } = await import("../mcp/http.ts");
    const answer = await answerMcp({
      request: c.req.raw,
      body,
      address: config().FUXI_URL,
      authorization,
      callApi: async (request) => {
        isCounted = true;
        return await callApi(await withOrigin(request, c), c.env.address);
      },
    });
    // No stream stays open, so the tool has made all of its calls once there is an answer.
    // defence: unknown-mcp-tool-counts
    if (!isCounted) await countCall(c, scope);
    return answer;
  });
  return router;
}

/** A website whose host name resolves to this server sends its own origin. Programs send none. */
function assertOrigin(c: ApiContext): void {
  const origin = c.req.header("origin");
  if (origin === undefined || origin === new URL(config().FUXI_URL).origin) return;
  throw new AppError("forbidden", "MCP requests from other websites aren’t accepted.");
}

function keyMissing(c: ApiContext): AppError {
  c.header("WWW-Authenticate", "Bearer");
  return new AppError(
    "unauthorized",
    "API key missing. Create one under Settings → API keys, and add the header Authorization: Bearer <API key> to the configuration of your MCP client.",
  );
}

function callsApi(body: unknown): boolean {
  return ["tools/call", "resources/read"].includes(Object(body).method);
}

/** Copies a tool’s request, with the calling program for the audit log and the length that the API requires. */
async function withOrigin(request: Request, c: ApiContext): Promise<Request> {
  const { method, url } = request;
  const headers = new Headers(request.headers);
  const agent = c.req.header("user-agent");
  if (agent !== undefined) headers.set("User-Agent", agent);
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  const body = await request.text();
  headers.set("Content-Length", `${Buffer.byteLength(body)}`);
  return new Request(url, { method, headers, ...(body === "" ? {} : { body }) });
}
