/**
 * Leads and sales that sites report from the browser, with a public key: `POST /api/track/lead/client` and `…/sale/client`, and
 * the script that calls them. Mounted before authentication. The body is sent as plain text, so that browsers skip the CORS
 * preflight. The response says whether the site may read it.
 */
import { type PublicCall, trackLeadPublicly, trackSalePublicly } from "#lib/analytics/conversions";
import { trackLeadBody, trackSaleBody } from "#lib/analytics/conversions/schema";
import { AppError, invalidRequest } from "#lib/platform/errors";
import { readRaw } from "./raw-body.ts";
import { type ApiContext, newRouter } from "./router.ts";
import { trackScript } from "./track-script.ts";

const callBytesMax = 64 * 1_024;
const scriptSeconds = 3_600;
const preflightSeconds = 86_400;

const clientLead = trackLeadBody.omit({ mode: true });

export const publicTracking = newRouter();

publicTracking.get("/track/script.js", (c) =>
  c.body(trackScript, 200, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": `public, max-age=${scriptSeconds}`,
    "Cross-Origin-Resource-Policy": "cross-origin",
  }),
);

for (const path of ["/track/lead/client", "/track/sale/client"]) {
  publicTracking.options(path, (c) => {
    allowReading(c);
    c.header("Access-Control-Allow-Methods", "POST");
    c.header("Access-Control-Allow-Headers", "Content-Type");
    c.header("Access-Control-Max-Age", String(preflightSeconds));
    return c.body(null, 204);
  });
}

publicTracking.post("/track/lead/client", async (c) => {
  const { call, body } = await readCall(c);
  await trackLeadPublicly(call, { ...valid(clientLead, body), mode: "wait" });
  return c.json({ recorded: true }, 200);
});

publicTracking.post("/track/sale/client", async (c) => {
  const { call, body } = await readCall(c);
  await trackSalePublicly(call, valid(trackSaleBody, body));
  return c.json({ recorded: true }, 200);
});

/** Any site may read the response: it reveals nothing about the workspace, and credentials are never sent. */
function allowReading(c: ApiContext): void {
  c.header("Access-Control-Allow-Origin", "*");
}

async function readCall(c: ApiContext): Promise<{ call: PublicCall; body: object }> {
  allowReading(c);
  const text = (await readRaw(c.req.raw, callBytesMax)).toString();
  const body = parse(text);
  const { publicKey: key } = body;
  if (typeof key !== "string" || /[^\w-]/.test(key)) {
    throw new AppError("unauthorized", "publicKey: Send the public key of the site.");
  }
  const call = { key, origin: c.req.header("origin"), address: c.env.address };
  return { call, body };
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
