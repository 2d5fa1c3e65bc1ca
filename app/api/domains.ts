/** Domains over the API, compatible with Dub's SDK, and additional endpoints. */
import { z } from "@hono/zod-openapi";
import { dismissDomainAlarm, getDomainHealth } from "#lib/analytics/domain-health";
import { dismissAlarmBody, domainHealthShape } from "#lib/analytics/domain-health/schema";
import {
  createDomain,
  deleteDomain,
  dropPrimary,
  editDomain,
  getDomain,
  getVerification,
  listOwnDomains,
  makePrimary,
  transferDomain,
  verifyDomain,
} from "#lib/links/domains";
import {
  createDomainBody,
  domainShape,
  editDomainBody,
  listDomainsQuery,
  transferDomainBody,
  verificationShape,
} from "#lib/links/domains/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, reportIgnored, responses } from "./router.ts";

const tags = ["Domains"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const domain = z.object(domainShape.shape).openapi("Domain");
const params = z.object({ slug: z.string().openapi({ example: "go.example.com" }) });
const verification = z.object(verificationShape.shape).openapi("DomainVerification");

const health = z.object(domainHealthShape.shape).openapi("DomainHealth");

const create = createRoute({
  method: "post",
  path: "/domains",
  operationId: "createDomain",
  ...access("domains.write"),
  tags,
  summary: "Add a domain",
  description:
    "`slug` is the host, such as `go.example.com`; international names are stored as punycode. Links work once the domain is verified. Adding a domain doesn’t reserve it: the first workspace to verify it gets it. DNS is checked automatically for 30 days, less and less often; after that, call the verify endpoint. `placeholder` is the redirect for the domain root, `notFoundUrl` and `expiredUrl` for missing and expired links. Keys on a `caseInsensitive` domain ignore case.",
  request: jsonBody(createDomainBody.loose()),
  responses: responses(201, domain, "The domain."),
});

const list = createRoute({
  method: "get",
  path: "/domains",
  operationId: "listDomains",
  ...access("domains.read", { limitedKeys: true }),
  tags,
  summary: "List domains",
  description:
    "Returns a page of the workspace’s domains, primary domain first. `search` matches part of the name; `archived=true` includes archived domains.",
  request: { query: listDomainsQuery },
  responses: responses(200, z.array(domain), "A page of domains."),
});

const get = createRoute({
  method: "get",
  path: "/domains/{slug}",
  operationId: "getDomain",
  ...access("domains.read", { limitedKeys: true }),
  tags,
  summary: "Get a domain",
  request: { params },
  responses: responses(200, domain, "The domain."),
});

const edit = createRoute({
  method: "patch",
  path: "/domains/{slug}",
  operationId: "editDomain",
  ...access("domains.write"),
  tags,
  summary: "Update a domain",
  description:
    "Omitted fields don’t change; null clears a field. A new `slug` moves the links and has to be verified again. Returns 409 for `caseInsensitive` if the domain has generated keys or keys with uppercase letters.",
  request: { params, ...jsonBody(editDomainBody.loose()) },
  responses: responses(200, domain, "The updated domain. Changes take effect within a second."),
});

const remove = createRoute({
  method: "delete",
  path: "/domains/{slug}",
  operationId: "deleteDomain",
  ...access("domains.write"),
  tags,
  summary: "Delete a domain",
  description:
    "Returns 409 if the domain has links. Use `links=delete` to delete them as well: they stop working within a second and are deleted within minutes.",
  request: {
    params,
    query: z.object({ links: z.enum(["keep", "delete"], "Use keep or delete.").default("keep") }),
  },
  responses: responses(200, z.object({ slug: z.string() }), "The slug of the deleted domain."),
});

const verify = createRoute({
  method: "post",
  path: "/domains/{slug}/verify",
  operationId: "verifyDomain",
  ...access("domains.write"),
  tags,
  summary: "Verify a domain",
  description:
    "Checks the domain’s DNS records and activates it if the TXT record proves ownership and the domain points somewhere. `message` and `problems` describe what’s missing, `records` the expected and found values. Nothing changes if the DNS lookup fails. Limited to 60 requests per minute and workspace. Returns 409 if another workspace uses the domain.",
  request: { params },
  responses: responses(200, verification, "The verification status."),
});

const readVerification = createRoute({
  method: "get",
  path: "/domains/{slug}/verification",
  operationId: "getDomainVerification",
  ...access("domains.read", { limitedKeys: true }),
  tags,
  summary: "Get the DNS status of a domain",
  description:
    "Returns the required DNS records and the result of the last check, without a new DNS lookup.",
  request: { params },
  responses: responses(200, verification, "The verification status."),
});

const readHealth = createRoute({
  method: "get",
  path: "/domains/{slug}/health",
  operationId: "getDomainHealth",
  ...access("domains.read", { also: "analytics.read" }),
  tags,
  summary: "Get the health of a domain",
  description:
    "Whether the domain resolves and answers, its certificate, and whether apps such as WeChat seem to block it, each with the time of its last check. Visits in in-app browsers are compared once a day; an app that isn’t in `apps` doesn’t have enough visits. Needs `analytics.read` too.",
  request: { params },
  responses: responses(200, health, "The health of the domain."),
});

const dismissAlarm = createRoute({
  method: "post",
  path: "/domains/{slug}/health/dismiss",
  operationId: "dismissDomainAlarm",
  ...access("domains.write"),
  tags,
  summary: "Dismiss an alarm of a domain",
  description:
    "The alarm stays in `alarms` as dismissed, and the app raises no further one until visits recover, for at most five weeks. Nothing changes if the app has no alarm.",
  request: { params, ...jsonBody(dismissAlarmBody) },
  responses: responses(
    200,
    z.object({ slug: z.string(), app: z.string() }),
    "The dismissed alarm.",
  ),
});

/** Both methods do the same. */
function primaryRoute<Method extends "put" | "post">(method: Method, operationId: string) {
  return createRoute({
    method,
    path: "/domains/{slug}/primary",
    operationId,
    ...access("domains.write"),
    tags,
    summary: method === "put" ? "Set the primary domain" : "Set the primary domain (alias of PUT)",
    description: "New links without a `domain` use the primary domain. It has to be verified.",
    request: { params },
    responses: responses(200, domain, "The domain."),
  });
}

const notPrimary = createRoute({
  method: "delete",
  path: "/domains/{slug}/primary",
  operationId: "dropPrimaryDomain",
  ...access("domains.write"),
  tags,
  summary: "Remove the primary domain",
  description: "New links without a `domain` use the default domain of the instance again.",
  request: { params },
  responses: responses(200, domain, "The domain."),
});

const transfer = createRoute({
  method: "post",
  path: "/domains/{slug}/transfer",
  operationId: "transferDomain",
  ...access("domains.write", { people: true }),
  tags,
  summary: "Transfer a domain to another workspace",
  description:
    "For owners and admins of both workspaces, in the dashboard only; not available to API keys. Up to 10,000 links move with the domain. They keep their keys, destinations and click counts, and lose their tags, folders and webhooks. Past clicks stay in the analytics of the old workspace. Returns 409 if both workspaces use the same `externalId`.",
  request: { params, ...jsonBody(transferDomainBody) },
  responses: responses(200, domain, "The transferred domain."),
});

export const domains = newRouter();

domains.openapi(create, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, createDomainBody, body);
  return c.json(await createDomain(c.get("scope"), body), 201);
});
domains.openapi(list, async (c) =>
  c.json(await listOwnDomains(c.get("scope"), c.req.valid("query")), 200),
);
domains.openapi(get, async (c) =>
  c.json(await getDomain(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(edit, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, editDomainBody, body);
  return c.json(await editDomain(c.get("scope"), c.req.valid("param").slug, body), 200);
});
domains.openapi(remove, async (c) => {
  const { links } = c.req.valid("query");
  return c.json(await deleteDomain(c.get("scope"), c.req.valid("param").slug, links), 200);
});
domains.openapi(verify, async (c) =>
  c.json(await verifyDomain(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(readVerification, async (c) =>
  c.json(await getVerification(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(readHealth, async (c) =>
  c.json(await getDomainHealth(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(dismissAlarm, async (c) => {
  const { app } = c.req.valid("json");
  return c.json(await dismissDomainAlarm(c.get("scope"), c.req.valid("param").slug, app), 200);
});
domains.openapi(primaryRoute("put", "makeDomainPrimary"), async (c) =>
  c.json(await makePrimary(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(primaryRoute("post", "setPrimaryDomain"), async (c) =>
  c.json(await makePrimary(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(notPrimary, async (c) =>
  c.json(await dropPrimary(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(transfer, async (c) => {
  const { workspaceId } = c.req.valid("json");
  return c.json(await transferDomain(c.get("scope"), c.req.valid("param").slug, workspaceId), 200);
});
