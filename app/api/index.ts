/**
 * The REST API: request id → caller → router → response. The document at /api/openapi.json is generated from the
 * validating schemas.
 *
 * A file next to this one exports a `Resource`, which is mounted in `resources`.
 */

import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { newId } from "#lib/basics/ids";
import { config } from "#lib/platform/config";
import { addressOf, dashboardHeaders, logRequest } from "#lib/platform/http";
import { tracedRequest, tracesAreOn } from "#lib/platform/traces";
import { admitOperator } from "./admin/index.ts";
import { analytics } from "./analytics.ts";
import { apiKeys } from "./api-keys.ts";
import { audit } from "./audit.ts";
import { branding } from "./branding.ts";
import { admit } from "./caller.ts";
import { campaignReports } from "./campaign-reports.ts";
import { campaigns } from "./campaigns.ts";
import { openClientPackage } from "./client-package.ts";
import { printClientTypes } from "./client-types.ts";
import { createDirectly, directScope } from "./create-directly.ts";
import { destinations } from "./destinations.ts";
import { domains } from "./domains.ts";
import { respondWithError, respondWithoutEndpoint } from "./errors.ts";
import { folders } from "./folders.ts";
import { formsApi } from "./forms.ts";
import { gateways } from "./gateways.ts";
import { importers } from "./importers.ts";
import { imports } from "./imports.ts";
import { links } from "./links.ts";
import { linksBulk } from "./links-bulk.ts";
import { linksRead } from "./links-read.ts";
import { expand, linksTry } from "./links-try.ts";
import { live } from "./live.ts";
import { openMcpRouter } from "./mcp.ts";
import { me } from "./me.ts";
import { missedLinks } from "./missed-links.ts";
import { optOuts } from "./opt-outs.ts";
import { qr } from "./qr.ts";
import { qrCodes } from "./qr-codes.ts";
import { qrTemplates } from "./qr-templates.ts";
import { gatewayCalls, receipts } from "./receipts.ts";
import { recipientSources } from "./recipient-sources.ts";
import { type ApiEnv, newRouter } from "./router.ts";
import { sendings } from "./sending.ts";
import { publicSocialImages, socialImages } from "./social-images.ts";
import { ssoLogout } from "./sso.ts";
import { stripeWebhook } from "./stripe.ts";
import { tagsApi } from "./tags.ts";
import { track } from "./track.ts";
import { publicTracking } from "./track-public.ts";
import { trackingKeys } from "./tracking-keys.ts";
import { utm } from "./utm.ts";
import { webhooks } from "./webhooks.ts";
import { wechat } from "./wechat.ts";
import { workspaces } from "./workspaces.ts";

const resources = [
  imports,
  importers,
  recipientSources,
  linksBulk,
  linksTry,
  linksRead,
  links,
  domains,
  destinations,
  tagsApi,
  folders,
  utm,
  workspaces,
  branding,
  me,
  apiKeys,
  audit,
  expand,
  analytics,
  missedLinks,
  track,
  formsApi,
  trackingKeys,
  qrTemplates,
  qrCodes,
  socialImages,
  campaigns,
  campaignReports,
  optOuts,
  gateways,
  sendings,
  receipts,
  webhooks,
  wechat,
];

const api = newRouter().basePath("/api");
api.onError(respondWithError);
api.notFound(respondWithoutEndpoint);
api.get("/openapi.json", (c) => c.json(describeApi()));
// Mounted before authentication.
api.route("/", qr);
api.route("/", publicSocialImages);
api.route("/", stripeWebhook);
api.route("/", gatewayCalls);
api.route("/", ssoLogout);
api.route("/", publicTracking);
api.route(
  "/",
  openClientPackage(() => printClientTypes(describeOperations())),
);
// This router authenticates its callers itself.
api.route("/", openMcpRouter(fetchApi));
// For everyone but administrators, these endpoints do not exist.
api.use("/admin/*", admitOperator);
api.use("*", admit);
api.route("/", live);
for (const resource of resources) api.route("/", resource);

/** The groups of operations, in the order of the documentation. */
const groups = [
  ["Links", "Create, update, find and delete short links, individually or in bulk."],
  ["Imports", "Create links from CSV files with up to a million rows, or from another system."],
  ["Domains", "Custom domains for short links."],
  ["Destinations", "Allow lists and block lists of destinations."],
  ["Campaigns", "Text messages with one short link per recipient."],
  ["Opt-outs", "Phone numbers that get no messages."],
  ["Gateways", "SMS gateways that send campaigns."],
  ["Webhooks", "Events, posted to your programs."],
  ["WeChat", "Mini programs that links open."],
  ["Folders", "Organize links and control who can view and edit them."],
  ["Tags", "Labels for organizing links."],
  ["UTM templates", "Reusable sets of campaign parameters."],
  ["Analytics", "Stats of clicks, leads and sales, and individual events."],
  ["Conversions", "Leads, sales and customers."],
  ["Forms", "Pages that visitors fill in before they’re redirected, and the people who answered."],
  ["QR codes", "QR codes for links, with templates and logos."],
  ["Workspaces", "Workspace settings and usage."],
  ["API keys", "Manage API keys. In the dashboard only; not available to API keys."],
  ["Account", "The current caller and the audit log."],
] as const;

/** The OpenAPI document without a server URL: it is the same on every instance of this version. */
export function describeOperations() {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Fuxi",
      version: "1",
      description:
        "Create, manage and analyze short links. All errors have the same format, with a message that explains how to fix them. Unknown query parameters are refused with 422, and named in the header `X-Fuxi-Ignored` by operations that Dub has too.",
      license: { name: "AGPL-3.0-only", url: "https://www.gnu.org/licenses/agpl-3.0.html" },
    },
    tags: groups.map(([name, description]) => ({ name, description })),
    security: [{ key: [] }],
  });
  return tidied(document);
}

function tidied<T>(document: T): T {
  return JSON.parse(JSON.stringify(document, tidy));
}

/** Mends what the generator writes: the slash and flags after a pattern, and one alternative for each kind of IP address. */
function tidy(name: string, value: unknown): unknown {
  if (name === "pattern" && typeof value === "string") return value.replace(/\/[a-z]+$/, "");
  if (name !== "anyOf" || !Array.isArray(value)) return value;
  return [...new Map(value.map((one) => [JSON.stringify(one), one])).values()];
}

let described: ReturnType<typeof describeOperations> | undefined;

export function describeApi() {
  described ??= {
    ...describeInstance(describeOperations()),
    servers: [{ url: config().FUXI_URL }],
  };
  return described;
}

/** Adds who helps: the contact for support, or else the site itself. */
function describeInstance(document: ReturnType<typeof describeOperations>) {
  const { FUXI_URL, FUXI_SUPPORT_CONTACT: support = FUXI_URL } = config();
  const contact = support.includes("@") ? { email: support } : { url: support };
  return { ...document, info: { ...document.info, contact: { name: "Support", ...contact } } };
}

api.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer" });
api.openAPIRegistry.registerComponent("securitySchemes", "session", {
  type: "apiKey",
  in: "cookie",
  name: "fuxi-session",
  description: "People who are signed in to the dashboard.",
});

/** Every route, as method and path; a test compares them with the document. */
export function listRoutes(): string[] {
  const routes = api.routes.filter(({ method }) => method !== "ALL");
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

export function fetchApi(request: Request, address: string): Response | Promise<Response> {
  return api.fetch(request, describeCall(address));
}

function describeCall(address: string): ApiEnv["Bindings"] {
  return { address, requestId: newId("req") };
}

/** Whether a request uploads a file and may take longer than others. */
export function isUpload({ method, url }: IncomingMessage): boolean {
  const path = url?.split("?", 1)[0] ?? "";
  return method === "POST" && /^\/api\/(imports|campaigns\/[^/]+\/files)$/.test(path);
}

let listener: RequestListener | undefined;

export function handleApi(req: IncomingMessage, res: ServerResponse): void {
  if (tracesAreOn()) tracedRequest("api", req, res, () => answerApi(req, res));
  else answerApi(req, res);
}

function answerApi(req: IncomingMessage, res: ServerResponse): void {
  const address = addressOf(req);
  const scope = directScope(req, address);
  if (scope) {
    const call = describeCall(address);
    logRequest(req, res, call.requestId);
    const headers = ["X-Request-Id", call.requestId, ...headersOfAll().flat()];
    void createDirectly(req, res, scope, { ...call, headers });
    return;
  }
  listener ??= openListener();
  void listener(req, res);
}

/** Created at the first request, because it replaces the global Request and Response with lighter ones. */
function openListener(): RequestListener {
  return getRequestListener((request, { incoming, outgoing }) => {
    const call = describeCall(incoming instanceof IncomingMessage ? addressOf(incoming) : "");
    outgoing.setHeader("X-Request-Id", call.requestId);
    for (const [name, value] of headersOfAll()) outgoing.setHeader(name, value);
    if (incoming instanceof IncomingMessage && outgoing instanceof ServerResponse) {
      logRequest(incoming, outgoing, call.requestId);
    }
    return api.fetch(request, call);
  });
}

let knownHeaders: [name: string, value: string][] | undefined;

function headersOfAll(): [name: string, value: string][] {
  knownHeaders ??= Object.entries({
    "Cache-Control": "no-store",
    ...dashboardHeaders(config().FUXI_URL.startsWith("https:")),
  });
  return knownHeaders;
}
