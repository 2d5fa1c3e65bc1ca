/**
 * Clicks, leads and sales that sites report from the browser: `POST /api/track/click`, `…/lead/client` and `…/sale/client`, and
 * the script that calls them. Mounted before authentication. Our script sends the body as plain text, so that browsers skip the
 * CORS preflight; that of Dub sends JSON, with the public key as a bearer token.
 */
import { type PublicCall, trackLeadPublicly, trackSalePublicly } from "#lib/analytics/conversions";
import { siteLeadBody, trackSaleBody } from "#lib/analytics/conversions/schema";
import { trackClick } from "#lib/analytics/opens";
import { trackClickBody } from "#lib/analytics/opens/schema";
import { AppError, invalidRequest } from "#lib/platform/errors";
import { readRaw } from "./raw-body.ts";
import { type ApiContext, newRouter } from "./router.ts";
import { trackScript } from "./track-script.ts";

const callBytesMax = 64 * 1_024;
const scriptSeconds = 3_600;
const preflightSeconds = 86_400;

export const publicTracking = newRouter();

publicTracking.get("/track/script.js", (c) =>
  c.body(trackScript, 200, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": `public, max-age=${scriptSeconds}`,
    "Cross-Origin-Resource-Policy": "cross-origin",
  }),
);

for (const path of ["/track/click", "/track/lead/client", "/track/sale/client"]) {
  publicTracking.options(path, (c) => {
    allowReading(c);
    c.header("Access-Control-Allow-Methods", "POST");
    c.header("Access-Control-Allow-Headers", "Content-Type, Authorization");
    c.header("Access-Control-Max-Age", String(preflightSeconds));
    return c.body(null, 204);
  });
}

publicTracking.post("/track/click", async (c) => {
  const { key, body, ...call } = await readCall(c);
  const visit = {
    ...call,
    key,
    userAgent: c.req.header("user-agent"),
    language: c.req.header("accept-language"),
  };
  return c.json(await trackClick(visit, valid(trackClickBody, body)), 200);
});

publicTracking.post("/track/lead/client", async (c) => {
  const { body, ...call } = await readCall(c);
  await trackLeadPublicly(withKey(call), { ...valid(siteLeadBody, body), mode: "wait" });
  return c.json({ recorded: true }, 200);
});

publicTracking.post("/track/sale/client", async (c) => {
  const { body, ...call } = await readCall(c);
  await trackSalePublicly(withKey(call), valid(trackSaleBody, body));
  return c.json({ recorded: true }, 200);
});

/** Any site may read the response: it reveals nothing about the workspace, and credentials are never sent. */
function allowReading(c: ApiContext): void {
  c.header("Access-Control-Allow-Origin", "*");
}

interface SiteCall {
  key: string | undefined;
  origin: string | undefined;
  address: string;
}

async function readCall(c: ApiContext): Promise<SiteCall & { body: object }> {
  allowReading(c);
  const text = (await readRaw(c.req.raw, callBytesMax)).toString();
  const body = parse(text);
  const key = body.publicKey ?? bearerOf(c);
  if (key !== undefined && (typeof key !== "string" || /[^\w-]/.test(key))) throw keyMissing();
  return { key, origin: c.req.header("origin"), address: c.env.address, body };
}

function bearerOf(c: ApiContext): string | undefined {
  return /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

function withKey({ key, ...call }: SiteCall): PublicCall {
  if (key === undefined) throw keyMissing();
  return { ...call, key };
}

function keyMissing(): AppError {
  return new AppError("unauthorized", "publicKey: Send the public key of the site.");
}

function parse(text: string): { publicKey?: unknown } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !text.includes("\\u0000")) return body;
  } catch {
    // Refused below.
  }
  throw new AppError("bad_request", "The request body isn’t a JSON object.");
}

interface Schema<Body> {
  safeParse: (
    body: object,
  ) =>
    | { success: true; data: Body }
    | { success: false; error: { issues: Parameters<typeof invalidRequest>[0] } };
}

function valid<Body>(schema: Schema<Body>, body: object): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues);
}
