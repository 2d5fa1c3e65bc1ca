/** The MCP server for a program that starts it: messages over stdin and stdout, calls to an instance over HTTP. */
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Fuxi } from "../sdk/index.ts";
import { application, openMcpServer } from "./index.ts";

/** Serves until stdin ends. Until then, nothing else may write to stdout. */
export function serveStdio(open: (application: string) => Fuxi): void {
  const fuxi = open(application);
  serve(() => openMcpServer(fuxi));
}
