import { Readable } from "node:stream";
import { AppError } from "#lib/platform/errors";
import { openWorkspaceExport } from "#lib/transfer/workspace-export";
import { requireScope } from "../../../../access.ts";

interface RouteContext {
  params: Promise<{ workspace: string; id: string }>;
}

/** The file of an export, streamed. */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  try {
    const { name, bytes, stream } = await openWorkspaceExport(scope, id);
    return new Response(webStream(stream), {
      headers: {
        "Content-Type": "application/zip",
        "Content-Length": String(bytes),
        "Content-Disposition": `attachment; filename="${name}"`,
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return new Response(error.message, { status: error.code === "forbidden" ? 403 : 404 });
  }
}

/** Node and the browser have two types for the same stream. */
function webStream(stream: NodeJS.ReadableStream): ReadableStream {
  return Readable.toWeb(Readable.from(stream)) as ReadableStream;
}
