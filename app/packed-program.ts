/** A program that each instance serves as a package of its own. It is packed at the first request, and kept. */
import { createHash } from "node:crypto";

interface PackedProgram {
  name: string;
  type: string;
  pack: () => Promise<Uint8Array>;
}

interface Packed {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
}

export function servePacked({ name, type, pack }: PackedProgram) {
  let kept: Packed | undefined;
  return async (request: Request): Promise<Response> => {
    kept ??= await withTag(pack);
    const { bytes, etag } = kept;
    const headers = {
      ETag: etag,
      // Caches keep it, but check for a new version before they use it. Only npx never checks a URL that it has installed.
      "Cache-Control": "public, no-cache",
    };
    if (request.headers.get("if-none-match") === etag) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(bytes, {
      headers: {
        ...headers,
        "Content-Type": type,
        "Content-Length": String(bytes.length),
        "Content-Disposition": `attachment; filename="${name}"`,
        "X-Content-Type-Options": "nosniff",
      },
    });
  };
}

async function withTag(pack: PackedProgram["pack"]): Promise<Packed> {
  const bytes = new Uint8Array(await pack());
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return { bytes, etag: `"${hash}"` };
}
