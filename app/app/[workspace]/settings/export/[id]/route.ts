import { Readable } from "node:stream";
import { AppError } from "#lib/platform/errors";
import { openWorkspaceExport } from "#lib/transfer/workspace-export";
import { requireScope } from "../../../../access.ts";

interface RouteContext {
  params: Promise<{ workspace: string; id: string }>;
}

/** The file of an export: streamed, or at a signed address of the store. */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  try {
    const { name, bytes, url, stream } = await openWorkspaceExport(scope, id);
    if (url !== undefined) {
      return new Response(null, {
        status: 303,
        headers: { Location: url, "Cache-Control": "no-store" },
      });
    }
    return new Response(webStream(await stream()), {
      headers: {
        "Content-Type": "application/zip",
        "Content-Length": String(bytes),
        "Content-Disposition": `attachment; filename="${name}"`,
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return new Response(error.message, { status: error.status });
  }
}

/** Node and the browser have different types for the same stream. */
function webStream(stream: NodeJS.ReadableStream): ReadableStream {
  return Readable.toWeb(Readable.from(stream)) as ReadableStream;
}
