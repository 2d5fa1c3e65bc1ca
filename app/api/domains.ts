/** Domains over the API, as the official SDK of the field speaks of them, and what it does not know. */
import { createRoute, z } from "@hono/zod-openapi";
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
import { answers, jsonBody, nameIgnored, newRouter } from "./router.ts";

const tags = ["Domains"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const domain = z.object(domainShape.shape).openapi("Domain");
const params = z.object({ slug: z.string().openapi({ example: "go.example.com" }) });
const verification = z.object(verificationShape.shape).openapi("DomainVerification");

const create = createRoute({
  method: "post",
  path: "/domains",
  operationId: "createDomain",
  tags,
  summary: "Add a domain",
  description:
    "`slug` is the name of a host, such as `go.example.com`; other scripts are stored in their ASCII form. A domain serves links once it is verified. Adding one keeps nobody else out: whoever verifies a host first serves it. DNS is asked about it by itself for 30 days, ever more rarely, and after that when somebody verifies it. `placeholder` is where the root of the domain leads, `notFoundUrl` and `expiredUrl` where missing and ended links lead. Keys of a `caseInsensitive` domain do not tell capitals from small letters.",
  request: jsonBody(createDomainBody.loose()),
  responses: answers(201, domain, "The domain."),
});

const list = createRoute({
  method: "get",
  path: "/domains",
  operationId: "listDomains",
  tags,
  summary: "The domains of the workspace",
  description:
    "A page of the workspace's own domains, the primary one first. `search` finds a part of the name; `archived=true` lists those that are archived too.",
  request: { query: listDomainsQuery },
  responses: answers(200, z.array(domain), "A page of domains."),
});

const get = createRoute({
  method: "get",
  path: "/domains/{slug}",
  operationId: "getDomain",
  tags,
  summary: "A domain",
  request: { params },
  responses: answers(200, domain, "The domain."),
});

const edit = createRoute({
  method: "patch",
  path: "/domains/{slug}",
  operationId: "editDomain",
  tags,
  summary: "Change a domain",
  description:
    "What is left out stays, null clears. With another `slug` the domain has to be verified again; its links come along. A domain with generated codes or with keys in capitals cannot be made `caseInsensitive` (409).",
  request: { params, ...jsonBody(editDomainBody.loose()) },
  responses: answers(
    200,
    domain,
    "The domain as it is now; visits everywhere follow within a second.",
  ),
});

const remove = createRoute({
  method: "delete",
  path: "/domains/{slug}",
  operationId: "deleteDomain",
  tags,
  summary: "Delete a domain",
  description:
    "A domain that has links is refused (409) unless `links=delete` says that they go with it. They stop to work within a second and are deleted in the minutes after.",
  request: {
    params,
    query: z.object({ links: z.enum(["keep", "delete"], "Write keep or delete.").default("keep") }),
  },
  responses: answers(200, z.object({ slug: z.string() }), "The slug of the domain that is gone."),
});

const verify = createRoute({
  method: "post",
  path: "/domains/{slug}/verify",
  operationId: "verifyDomain",
  tags,
  summary: "Verify a domain",
  description:
    "Asks DNS about the domain, and lets it serve if a TXT record shows that it is the workspace's and if it leads somewhere. `message` and `problems` say what is missing, `records` what was expected and found. Where DNS cannot be asked, nothing changes. At most 60 times a minute for a workspace. 409 when another workspace serves the host.",
  request: { params },
  responses: answers(200, verification, "Whether the domain serves, and what to do if not."),
});

const readVerification = createRoute({
  method: "get",
  path: "/domains/{slug}/verification",
  operationId: "getDomainVerification",
  tags,
  summary: "The DNS of a domain",
  description:
    "The records that the domain needs, and what was found of them when DNS was asked last. Asks nobody.",
  request: { params },
  responses: answers(200, verification, "Whether the domain serves, and what to do if not."),
});

const primary = createRoute({
  method: "put",
  path: "/domains/{slug}/primary",
  operationId: "makeDomainPrimary",
  tags,
  summary: "Make a domain the primary one",
  description: "Links that name no domain are made on it from now on. It has to be verified.",
  request: { params },
  responses: answers(200, domain, "The domain."),
});

const notPrimary = createRoute({
  method: "delete",
  path: "/domains/{slug}/primary",
  operationId: "dropPrimaryDomain",
  tags,
  summary: "Have no primary domain",
  description: "Links that name no domain are made on the installation's own again.",
  request: { params },
  responses: answers(200, domain, "The domain."),
});

const transfer = createRoute({
  method: "post",
  path: "/domains/{slug}/transfer",
  operationId: "transferDomain",
  tags,
  summary: "Give a domain to another workspace",
  description:
    "For people in the dashboard who are owner or admin of both: no key may. At most 10,000 links move with the domain and keep keys, addresses and counters; they lose tags, folders and webhooks. Clicks that were counted stay in the charts of the workspace where they were counted. 409 when both workspaces use the same `externalId`.",
  request: { params, ...jsonBody(transferDomainBody) },
  responses: answers(200, domain, "The domain, now of the other workspace."),
});

export const domains = newRouter();

domains.openapi(create, async (c) => {
  const body = c.req.valid("json");
  nameIgnored(c, createDomainBody, body);
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
  nameIgnored(c, editDomainBody, body);
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
domains.openapi(primary, async (c) =>
  c.json(await makePrimary(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(notPrimary, async (c) =>
  c.json(await dropPrimary(c.get("scope"), c.req.valid("param").slug), 200),
);
domains.openapi(transfer, async (c) => {
  const { workspaceId } = c.req.valid("json");
  return c.json(await transferDomain(c.get("scope"), c.req.valid("param").slug, workspaceId), 200);
});
