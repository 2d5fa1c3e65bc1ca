import { z } from "@hono/zod-openapi";
import { listPeople, listWorkspaces } from "#lib/office/directory";
import {
  peopleQuery,
  peopleShape,
  workspacesQuery,
  workspacesShape,
} from "#lib/office/directory/schema";
import { disableLink, listOfficeLinks } from "#lib/office/links";
import { disableLinkBody, officeLinksQuery, officeLinksShape } from "#lib/office/links/schema";
import { readOverview } from "#lib/office/overview";
import { overviewShape } from "#lib/office/overview/schema";
import { searchOffice } from "#lib/office/search";
import { searchShape, searchText } from "#lib/office/search/schema";
import { readUsage } from "#lib/office/usage";
import { usageQuery, usageShape } from "#lib/office/usage/schema";
import { listOperations, viewDomain, viewLink, viewPerson, viewWorkspace } from "#lib/office/views";
import type { OperatorScope } from "#lib/tenancy/operators";
import { OfficeResource } from "../router.ts";

export const views = new OfficeResource();

const idCharsMax = 100;

views.answer("get /me", {
  summary: "Get the administrator",
  returns: [
    200,
    z.object({ id: z.string(), via: z.enum(["dashboard", "token", "cli"]) }),
    "The caller.",
  ],
  run: ({ operator: { actor, via } }) => ({ id: actor, via }),
});

views.answer("get /search", {
  summary: "Find links, codes, domains, workspaces and people",
  request: { query: z.object({ text: searchText }) },
  returns: [200, searchShape, "The results, exact ones first."],
  run: ({ operator, query }) => searchOffice(operator, query.text),
});

views.answer("get /links", {
  summary: "Find links by their destination",
  description:
    "Of all workspaces. A call checks up to 200,000 links and returns up to 50; continue with `next` until it is null.",
  request: { query: officeLinksQuery },
  returns: [200, officeLinksShape, "The links, and where to continue."],
  run: ({ operator, query }) => listOfficeLinks(operator, query),
});

views.answer("post /links/{id}/disable", {
  summary: "Turn a link off",
  request: { params: z.object({ id: z.string().max(idCharsMax) }), body: disableLinkBody },
  returns: [200, z.object({ id: z.string() }), "The link."],
  run: async ({ operator, params, body }) => {
    await disableLink(operator, params.id, body.reason);
    return { id: params.id };
  },
});

views.answer("get /workspaces", {
  summary: "List workspaces",
  request: { query: workspacesQuery },
  returns: [200, workspacesShape, "Up to 50, newest first, and how many there are."],
  run: ({ operator, query }) => listWorkspaces(operator, query),
});

views.answer("get /people", {
  summary: "List accounts",
  request: { query: peopleQuery },
  returns: [200, peopleShape, "Up to 50, newest first, and how many there are."],
  run: ({ operator, query }) => listPeople(operator, query),
});

views.answer("get /usage", {
  summary: "Get usage per day, slugs and storage",
  request: { query: usageQuery },
  returns: [200, usageShape, "Usage of the last 30, 90 or 365 days."],
  run: ({ operator, query }) => readUsage(operator, query.days),
});

views.answer("get /overview", {
  summary: "Get stats of the instance",
  returns: [200, overviewShape, "The figures."],
  run: ({ operator }) => readOverview(operator),
});

views.answer("get /audit", {
  summary: "List what administrators did and viewed",
  request: { query: z.object({ startingAfter: z.string().max(idCharsMax).optional() }) },
  returns: [200, z.array(z.unknown()), "Up to 50 entries, newest first."],
  run: ({ operator, query: { startingAfter } }) => listOperations(operator, startingAfter),
});

const pages: Readonly<Record<string, (operator: OperatorScope, id: string) => Promise<object>>> = {
  workspaces: viewWorkspace,
  links: viewLink,
  domains: viewDomain,
  people: viewPerson,
};

for (const [name, view] of Object.entries(pages)) {
  views.answer(`get /${name}/{id}`, {
    summary: `One of the ${name}`,
    request: { params: z.object({ id: z.string().max(idCharsMax) }) },
    returns: [200, z.looseObject({}), "Its data."],
    run: async ({ operator, params }) => ({ ...(await view(operator, params.id)) }),
  });
}
