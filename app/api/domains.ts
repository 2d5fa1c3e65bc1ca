/** Domains over the API, compatible with Dub's SDK, and additional endpoints. */
import { z } from "@hono/zod-openapi";
import { dismissDomainAlarm, getDomainHealth } from "#lib/analytics/domain-health";
import { dismissAlarmBody, domainHealthShape } from "#lib/analytics/domain-health/schema";
import * as verbs from "#lib/links/domains";
import * as fields from "#lib/links/domains/schema";
import { access } from "./access.ts";
import { named, Resource } from "./router.ts";

const domain = named("Domain", fields.domainShape);
const params = z.object({
  slug: z.string().openapi({ description: "The domain.", example: "go.example.com" }),
});
const verification = named("DomainVerification", fields.verificationShape);
const health = named("DomainHealth", domainHealthShape);

export const domains = new Resource("Domains");

domains.answer("createDomain", "post /domains", {
  ...access("domains.write"),
  summary: "Add a domain",
  description:
    "`slug` is the host, such as `go.example.com`; international names are stored as punycode. Links work once the domain is verified. Adding a domain doesn’t reserve it: the first workspace to verify it gets it. DNS is checked automatically for 30 days, less and less often; after that, call the verify endpoint. `placeholder` is the redirect for the domain root, `notFoundUrl` and `expiredUrl` for missing and expired links. Keys on a `caseInsensitive` domain ignore case.",
  request: { looseBody: fields.createDomainBody },
  returns: [201, domain, "The domain."],
  run: ({ scope, body }) => verbs.createDomain(scope, body),
});

domains.answer("listDomains", "get /domains", {
  ...access("domains.read", { limitedKeys: true }),
  summary: "List domains",
  description:
    "Returns a page of the workspace’s domains, primary domain first. `search` matches part of the name; `archived=true` includes archived domains.",
  request: { query: fields.listDomainsQuery },
  returns: [200, z.array(domain), "A page of domains."],
  run: ({ scope, query }) => verbs.listOwnDomains(scope, query),
});

domains.answer("getDomain", "get /domains/{slug}", {
  ...access("domains.read", { limitedKeys: true }),
  summary: "Get a domain",
  description: "Returns the settings of the domain, and whether it is verified.",
  request: { params },
  returns: [200, domain, "The domain."],
  run: ({ scope, params }) => verbs.getDomain(scope, params.slug),
});

domains.answer("editDomain", "patch /domains/{slug}", {
  ...access("domains.write"),
  summary: "Update a domain",
  description:
    "Omitted fields don’t change; null clears a field. A new `slug` moves the links and has to be verified again. Returns 409 for `caseInsensitive` if the domain has generated keys or keys with uppercase letters.",
  request: { params, looseBody: fields.editDomainBody },
  returns: [200, domain, "The updated domain. Changes take effect within a second."],
  run: ({ scope, params, body }) => verbs.editDomain(scope, params.slug, body),
});

domains.answer("deleteDomain", "delete /domains/{slug}", {
  ...access("domains.write"),
  summary: "Delete a domain",
  description:
    "Returns 409 if the domain has links. Use `links=delete` to delete them as well: they stop working within a second and are deleted within minutes.",
  request: {
    params,
    query: z.object({
      links: z
        .enum(["keep", "delete"], "Use keep or delete.")
        .default("keep")
        .describe("delete: the links of the domain are deleted as well."),
    }),
  },
  returns: [200, z.object({ slug: z.string() }), "The slug of the deleted domain."],
  run: ({ scope, params, query: { links } }) => verbs.deleteDomain(scope, params.slug, links),
});

domains.answer("verifyDomain", "post /domains/{slug}/verify", {
  ...access("domains.write"),
  summary: "Verify a domain",
  description:
    "Checks the domain’s DNS records and activates it if the TXT record proves ownership and the domain points somewhere. `message` and `problems` describe what’s missing, `records` the expected and found values. Nothing changes if the DNS lookup fails. Limited to 60 requests per minute and workspace. Returns 409 if another workspace uses the domain.",
  request: { params },
  returns: [200, verification, "The verification status."],
  run: ({ scope, params }) => verbs.verifyDomain(scope, params.slug),
});

domains.answer("getDomainVerification", "get /domains/{slug}/verification", {
  ...access("domains.read", { limitedKeys: true }),
  summary: "Get the DNS status of a domain",
  description:
    "Returns the required DNS records and the result of the last check, without a new DNS lookup.",
  request: { params },
  returns: [200, verification, "The verification status."],
  run: ({ scope, params }) => verbs.getVerification(scope, params.slug),
});

domains.answer("getDomainHealth", "get /domains/{slug}/health", {
  ...access("domains.read", { also: "analytics.read" }),
  summary: "Get the health of a domain",
  description:
    "Whether the domain resolves and answers, its certificate, and whether apps such as WeChat seem to block it, each with the time of its last check. Visits in in-app browsers are compared once a day; an app that isn’t in `apps` doesn’t have enough visits. Needs `analytics.read` too.",
  request: { params },
  returns: [200, health, "The health of the domain."],
  run: ({ scope, params }) => getDomainHealth(scope, params.slug),
});

domains.answer("dismissDomainAlarm", "post /domains/{slug}/health/dismiss", {
  ...access("domains.write"),
  summary: "Dismiss an alarm of a domain",
  description:
    "The alarm stays in `alarms` as dismissed, and the app raises no further one until visits recover, for at most five weeks. Nothing changes if the app has no alarm.",
  request: { params, body: dismissAlarmBody },
  returns: [200, z.object({ slug: z.string(), app: z.string() }), "The dismissed alarm."],
  run: ({ scope, params, body: { app } }) => dismissDomainAlarm(scope, params.slug, app),
});

for (const [operationId, method, note] of [
  ["makeDomainPrimary", "put", ""],
  ["setPrimaryDomain", "post", " (alias of PUT)"],
] as const) {
  domains.answer(operationId, `${method} /domains/{slug}/primary`, {
    ...access("domains.write"),
    summary: `Set the primary domain${note}`,
    description: "New links without a `domain` use the primary domain. It has to be verified.",
    request: { params },
    returns: [200, domain, "The domain."],
    run: ({ scope, params }) => verbs.makePrimary(scope, params.slug),
  });
}

domains.answer("dropPrimaryDomain", "delete /domains/{slug}/primary", {
  ...access("domains.write"),
  summary: "Remove the primary domain",
  description: "New links without a `domain` use the default domain of the instance again.",
  request: { params },
  returns: [200, domain, "The domain."],
  run: ({ scope, params }) => verbs.dropPrimary(scope, params.slug),
});

domains.answer("transferDomain", "post /domains/{slug}/transfer", {
  ...access("domains.write", { people: true }),
  summary: "Transfer a domain to another workspace",
  description:
    "For owners and admins of both workspaces, in the dashboard only; not available to API keys. Up to 10,000 links move with the domain. They keep their keys, destinations and click counts, and lose their tags, folders and webhooks. Past clicks stay in the analytics of the old workspace. Returns 409 if both workspaces use the same `externalId`.",
  request: { params, body: fields.transferDomainBody },
  returns: [200, domain, "The transferred domain."],
  run: ({ scope, params, body: { workspaceId } }) =>
    verbs.transferDomain(scope, params.slug, workspaceId),
});
