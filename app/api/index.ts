/**
 * The REST API: request id → caller → router → answer. The document at /api/openapi.json is made from the schemas that
 * validate.
 *
 * A resource is a file beside this one that exports a router made by `newRouter`; it is mounted in `resources`.
 */
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { addressOf, dashboardHeaders, logRequest } from "#lib/platform/http";
import { newId } from "#lib/platform/ids";
import { analytics } from "./analytics.ts";
import { apiKeys } from "./api-keys.ts";
import { audit } from "./audit.ts";
import { admit } from "./caller.ts";
import { domains } from "./domains.ts";
import { expand } from "./expand.ts";
import { answerFailure } from "./failure.ts";
import { folders } from "./folders.ts";
import { imports } from "./imports.ts";
import { links } from "./links.ts";
import { linksBulk } from "./links-bulk.ts";
import { linksRead } from "./links-read.ts";
import { linksTry } from "./links-try.ts";
import { live } from "./live.ts";
import { look } from "./look.ts";
import { me } from "./me.ts";
import { qr } from "./qr.ts";
import { qrCodes } from "./qr-codes.ts";
import { qrTemplates } from "./qr-templates.ts";
import { type ApiEnv, newRouter } from "./router.ts";
import { tagsApi } from "./tags.ts";
import { utm } from "./utm.ts";
import { workspaces } from "./workspaces.ts";

const resources = [
  imports,
  linksBulk,
  linksTry,
  linksRead,
  links,
  domains,
  tagsApi,
  folders,
  utm,
  workspaces,
  look,
  me,
  apiKeys,
  audit,
  expand,
  analytics,
  qrTemplates,
  qrCodes,
];

const api = newRouter().basePath("/api");
api.onError(answerFailure);
api.notFound((c) => {
  throw new AppError("not_found", `There is no ${c.req.method} ${c.req.path} in this API.`);
});
api.get("/openapi.json", (c) => c.json(describeApi()));
// Before the caller is asked for a key.
api.route("/", qr);
api.use("*", admit);
api.route("/", live);
for (const resource of resources) api.route("/", resource);

let described: ReturnType<typeof api.getOpenAPI31Document> | undefined;

/** The groups of operations, in the order in which people read about them. */
const groups = [
  ["Links", "Short links: made one by one or by the thousand, changed, found and deleted."],
  [
    "Imports",
    "Files of links: uploaded, looked at, and worked through up to a million rows at a time.",
  ],
  ["Domains", "The hosts that serve short links."],
  ["Folders", "Where links are put, and who may see and change them there."],
  ["Tags", "Words by which links are found again."],
  ["UTM templates", "Campaign parameters that are used again and again."],
  ["Analytics", "Clicks, counted and told apart, and one by one."],
  ["QR codes", "A link as a picture to scan."],
  ["Workspaces", "The workspace itself."],
  [
    "API keys",
    "Keys of the workspace. For people in the dashboard: a key cannot make or see keys.",
  ],
  ["Account", "Who calls, and what was done."],
] as const;

/** The document of this API, made from the schemas that validate. */
export function describeApi() {
  described ??= api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Fuxi",
      version: "1",
      description:
        "Short links: make them one by one or ten thousand at a time, change them, find them. Every error has the same shape, and its message says what to change.",
    },
    tags: groups.map(([name, description]) => ({ name, description })),
    servers: [{ url: config().FUXI_URL }],
    security: [{ key: [] }],
  });
  return described;
}

api.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer" });

/** Answers a request of the Fetch standard. */
export function fetchApi(request: Request, address: string): Response | Promise<Response> {
  return api.fetch(request, describeCall(address));
}

function describeCall(address: string): ApiEnv["Bindings"] {
  return { address, requestId: newId("req") };
}

/** Whether a request brings a file that may take longer than others. */
export function isUpload({ method, url }: IncomingMessage): boolean {
  return method === "POST" && url?.split("?", 1)[0] === "/api/imports";
}

let listener: RequestListener | undefined;

/** Answers a request of Node's server. */
export function handleApi(req: IncomingMessage, res: ServerResponse): void {
  listener ??= openListener();
  void listener(req, res);
}

/** Opened at the first request: it replaces the global Request and Response by lighter ones. */
function openListener(): RequestListener {
  const secure = config().FUXI_URL.startsWith("https:");
  const headers = Object.entries({ "Cache-Control": "no-store", ...dashboardHeaders(secure) });
  return getRequestListener((request, { incoming, outgoing }) => {
    const call = describeCall(incoming instanceof IncomingMessage ? addressOf(incoming) : "");
    outgoing.setHeader("X-Request-Id", call.requestId);
    for (const [name, value] of headers) outgoing.setHeader(name, value);
    if (incoming instanceof IncomingMessage && outgoing instanceof ServerResponse) {
      logRequest(incoming, outgoing, call.requestId);
    }
    return api.fetch(request, call);
  });
}
