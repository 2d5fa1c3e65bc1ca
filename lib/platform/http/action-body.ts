/** Allows only texts, numbers, lists, objects and forms: React's decoder would also build functions and promises. */
import { IncomingMessage, type ServerResponse } from "node:http";

const depthMax = 32;
const bytesMax = 256 * 1024;
/** `0` contains the arguments; `_1_name` is the field `name` of their first form. */
const formField = /^_[1-9]\d*_/;
const formReference = /^\$K[1-9a-f][0-9a-f]*$/;
/** An object that occurs twice is sent once: `$0:1:linkIds` is the field of the second argument. */
const reference = /^\$0((?::[^:]+)+)$/;

const boundaryParameter = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i;
/** Next.js rejects these in the head of a part; Request accepts them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that no head may have
const controlInHead = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;

export async function passAction(
  req: IncomingMessage,
  res: ServerResponse,
  next: (req: IncomingMessage) => void,
): Promise<void> {
  if (req.method !== "POST" || req.headers["next-action"] === undefined) {
    next(req);
    return;
  }
  const body = await readBody(req);
  if (body === undefined) res.destroy();
  else if (await isActionBody(body, req.headers["content-type"] ?? "")) next(unread(req, body));
  else refuse(res);
}

/** Once its stream was read, a request cannot become the body of a Request. */
function unread(req: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, httpVersion, rawHeaders, headers } = req;
  const whole = new IncomingMessage(req.socket);
  Object.assign(whole, { method, url, httpVersion, rawHeaders, headers, complete: true });
  whole.push(body);
  whole.push(null);
  return whole;
}

async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const length = Number(req.headers["content-length"] ?? 0);
  if (length > bytesMax) return undefined;
  const chunks: Buffer[] = [];
  for (let missing = length; missing > 0; ) {
    const chunk: Buffer | null = req.read();
    if (chunk) {
      chunks.push(chunk);
      missing -= chunk.length;
    } else if (req.destroyed) return undefined;
    else await moreOrEnd(req);
  }
  return Buffer.concat(chunks);
}

function moreOrEnd(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ["readable", "close"]) req.off(event, done);
      resolve();
    };
    for (const event of ["readable", "close"]) req.on(event, done);
  });
}

export async function isActionBody(body: Buffer, contentType: string): Promise<boolean> {
  try {
    if (!contentType.startsWith("multipart/")) return isArguments(body.toString(), false);
    // defence: form-part-heads
    if (!haveCleanHeads(body, contentType)) return false;
    const response = new Response(new Uint8Array(body), {
      headers: { "Content-Type": contentType },
    });
    const fields = [...(await response.formData())];
    const [models, others] = [
      fields.filter(([name]) => name === "0"),
      fields.filter(([name]) => name !== "0"),
    ];
    const [model] = models;
    if (models.length !== 1 || typeof model?.[1] !== "string") return false;
    return others.every(([name]) => formField.test(name)) && isArguments(model[1], true);
  } catch {
    return false; // neither JSON nor a form
  }
}

function haveCleanHeads(body: Buffer, contentType: string): boolean {
  const [, quoted, plain = ""] = boundaryParameter.exec(contentType) ?? [];
  const parts = body.toString("latin1").split(`--${quoted ?? plain}`);
  return parts.every((part) => !controlInHead.test(part.split("\r\n\r\n", 1)[0] ?? ""));
}

function isArguments(text: string, mayHaveForms: boolean): boolean {
  const root: unknown = JSON.parse(text);
  return Array.isArray(root) && isPlain(root, { root, mayHaveForms, depth: 0 });
}

interface Place {
  root: unknown;
  mayHaveForms: boolean;
  depth: number;
}

function isPlain(value: unknown, place: Place): boolean {
  // defence: action-body-types
  if (typeof value === "string") return !value.startsWith("$") || isPermitted(value, place);
  if (typeof value !== "object" || value === null) return true;
  const inside = { ...place, depth: place.depth + 1 };
  // defence: action-body-depth
  if (inside.depth > depthMax || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((one) => isPlain(one, inside));
}

/** Plain texts that begin with $ are sent with two. One $ means a reference. */
function isPermitted(text: string, { root, mayHaveForms }: Place): boolean {
  if (text.startsWith("$$") || text === "$undefined") return true;
  if (formReference.test(text)) return mayHaveForms;
  const [, path] = reference.exec(text) ?? [];
  return path !== undefined && leadsToObject(root, path.slice(1).split(":"));
}

function leadsToObject(root: unknown, path: readonly string[]): boolean {
  let at: unknown = root;
  for (const name of path) {
    // defence: action-body-references
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = Reflect.get(at, name);
  }
  return typeof at === "object" && at !== null;
}

function refuse(res: ServerResponse): void {
  res.writeHead(400, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  res.end("This form could not be read. Reload the page and send it again.\n");
}
