/**
 * Handles the most frequent API call without the framework: `POST /api/links` with an API key that this process knows. Fetch
 * requests, Fetch responses and the router took a third of the CPU time of a created link.
 *
 * This file only decides from the headers whether it can handle a call, and reads the body. The rest is shared with the route
 * (links.ts), which gets all other calls with their body unread.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { admitKnownKey } from "#lib/identity/api-keys";
import { createLinks } from "#lib/links/creating";
import { createLinkBody, parseNewLink } from "#lib/links/fields/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { countKeyCall } from "#lib/tenancy/key-use";
import { checkBytes, incompleteBody } from "./body.ts";
import { bearer, isRefusal } from "./caller.ts";
import { describeFailure } from "./errors.ts";
import { linkOf } from "./links.ts";
import { reportLookAlikes } from "./look-alikes.ts";
import { countCall } from "./rate.ts";
import { isJsonType, parseJson, valueOrThrow } from "./read-json.ts";
import type { HeaderTarget } from "./router.ts";
import { reportIgnored } from "./unknown-names.ts";

const path = "/api/links";
/** Longer bodies are rare. */
const bytesMax = 64 * 1024;
/** Headers that change what the call does. */
const special = ["idempotency-key", "x-fuxi-app", "transfer-encoding", "content-encoding"] as const;

export interface DirectCall {
  address: string;
  requestId: string;
  headers: readonly string[];
}

/** The scope of a call that is handled here; undefined if the framework handles it. */
export function directScope(req: IncomingMessage, address: string): WorkspaceScope | undefined {
  if (req.method !== "POST" || req.url !== path) return undefined;
  const { headers } = req;
  if (special.some((name) => headers[name] !== undefined)) return undefined;
  const length = Number(headers["content-length"]);
  if (!(length > 0 && length <= bytesMax) || !isJsonType(headers["content-type"])) return undefined;
  const { authorization } = headers;
  if (!authorization?.startsWith(bearer)) return undefined;
  return admitKnownKey(authorization.slice(bearer.length).trim(), address);
}

export async function createDirectly(
  req: IncomingMessage,
  res: ServerResponse,
  scope: WorkspaceScope,
  { address, requestId, headers }: DirectCall,
): Promise<void> {
  const sent = [...headers];
  const response: HeaderTarget = { header: (name, value) => void sent.push(name, value) };
  try {
    await countCall(response, scope);
    const body = valueOrThrow(parseNewLink(parseJson(checkBytes(await readBody(req)))));
    reportIgnored(response, createLinkBody, body);
    const [outcome] = await createLinks(scope, [body], { source: "api", prefill: true });
    const link = linkOf(outcome);
    reportLookAlikes(response, body, link.domain);
    countKeyCall(scope, { address, app: undefined, refused: false });
    answer(res, 200, sent, link);
  } catch (error) {
    const refused = error instanceof AppError && isRefusal(error.status);
    countKeyCall(scope, { address, app: undefined, refused });
    const failure = error instanceof Error ? error : new Error(String(error));
    const { status, body } = describeFailure(failure, response, { requestId, path });
    answer(res, status, sent, body);
  }
}

/** Sets all headers at once, which takes half the time of setting them one by one. */
function answer(res: ServerResponse, status: number, headers: string[], body: unknown): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  headers.push("Content-Type", "application/json", "Content-Length", length);
  res.writeHead(status, headers);
  res.end(text);
}

function readBody(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.once("end", () => {
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    req.once("error", () => reject(incompleteBody()));
  });
}
