/** The tools of a workspace for AI assistants, with the login of this program. */
import { type GlobalOptions, openSession, type Place } from "../session.ts";

/** Runs until the assistant closes stdin. Messages are the only output on stdout. */
export async function serveMcp(place: Place, options: GlobalOptions): Promise<void> {
  // Most of the program is only for this command, so the other commands don’t load it.
  const { serveStdio } = await import("../../mcp/stdio.ts");
  serveStdio((application) => openSession(place, options, application).fuxi);
}
