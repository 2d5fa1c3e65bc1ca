/** The workspace of the caller. Others are unavailable, whatever their id or slug. */

import { z } from "@hono/zod-openapi";
import { mapTable } from "#lib/basics/variants/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { roles } from "#lib/tenancy/access/schema";
import { quotaLabels } from "#lib/tenancy/plans/schema";
import { readUsage } from "#lib/tenancy/quotas";
import { getWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { codesPerDayMax, editWorkspaceBody } from "#lib/tenancy/workspaces/schema";
import { access } from "./access.ts";
import { Resource } from "./router.ts";

const params = z.object({
  idOrSlug: z.string().openapi({
    description: "The id of the workspace, or its name in URLs.",
    example: "my-workspace",
  }),
});

const usage = z
  .object({
    used: z.number().nullable().describe("Null if usage isn’t counted because there is no limit."),
    limit: z.number().nullable().describe("Null if unlimited."),
  })
  .openapi("Usage");

const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    zone: z.string().describe("The IANA time zone of the workspace, used for days and months."),
    plan: z.string(),
    reuseSeconds: z
      .number()
      .nullable()
      .describe(
        "Default for `reuse`: new links for the same `url` within this many seconds return the existing link. Null: always create a new link.",
      ),
    lifetimeSeconds: z
      .number()
      .nullable()
      .describe(
        "Default expiration of new links without `expiresAt`, in seconds after creation. Null: links don’t expire. Send `expiresAt: null` to create a link that never expires.",
      ),
    repeatSeconds: z
      .number()
      .nullable()
      .describe(
        "Repeated visits of the same visitor to a link within this many seconds count as one click; the others are counted with bots. Null: every visit counts.",
      ),
    forwardQuery: z
      .boolean()
      .describe(
        "Default of `forwardQuery` for all links of the workspace: add the query parameters of each visit to the destination URL.",
      ),
    retireApiDays: z
      .number()
      .nullable()
      .describe(
        "Days after the last visit until links created with the API retire: visits get 410 for 180 days, then the link is deleted. 0: never. Null: as the plan or the instance, by default two years.",
      ),
    retirePeopleDays: z
      .number()
      .nullable()
      .describe("The same for links created in the dashboard or by an import. By default never."),
    retireFromCreation: z
      .boolean()
      .describe("Count the days from the creation of a link instead of its last visit."),
    contactDays: z
      .number()
      .nullable()
      .describe(
        "Days after the last answer until a contact is erased with all its answers. Null: contacts stay until someone erases them.",
      ),
    ownNetworks: z
      .array(z.string())
      .describe(
        "IP addresses and networks of the workspace, such as `203.0.113.0/24`. Visits from them are counted with bots, and don’t use up `maxClicks`.",
      ),
    codeCountries: z
      .array(z.string())
      .describe(
        "The countries (ISO 3166-1) whose phone numbers get SMS codes from forms, unless a form has its own list. Empty: the country of the time zone; none for UTC.",
      ),
    codesPerDay: z
      .number()
      .describe(
        `How many SMS codes can be requested in 24 hours, for each country. At most ${codesPerDayMax}.`,
      ),
    codesStopped: z
      .boolean()
      .describe(
        "true: all forms stop sending SMS codes immediately. Visitors see that codes can’t be sent.",
      ),
    sessionIdleMinutes: z
      .number()
      .nullable()
      .describe(
        "Minutes of inactivity after which people have to sign in again for this workspace. Null: the limit of the instance. The shorter one applies.",
      ),
    sessionHours: z
      .number()
      .nullable()
      .describe(
        "Hours after which people have to sign in again for this workspace, even if they are active. Null: the limit of the instance. The shorter one applies.",
      ),
    demo: z.boolean().describe("Contains example data, created when the instance was set up."),
    role: z.enum(roles).describe("Role of the caller."),
    createdAt: z.string(),
    usage: z
      .object({
        ...mapTable(quotaLabels, () => usage),
        links: usage.describe("Links created this month."),
      })
      .describe("Usage and limits of the plan."),
  })
  .openapi("Workspace");

export const workspaces = new Resource("Workspaces");

workspaces.answer("getWorkspace", "get /workspaces/{idOrSlug}", {
  ...access("any", { limitedKeys: true }),
  summary: "Get the workspace and its usage",
  description:
    "Only returns the workspace of the API key or dashboard session. Any other id returns 404.",
  request: { params },
  returns: [200, workspace, "The workspace."],
  run: async ({ scope, params }) => {
    assertOwn(scope, params.idOrSlug);
    return { ...(await getWorkspace(scope)), usage: await readUsage(scope) };
  },
});

workspaces.answer("editWorkspace", "patch /workspaces/{idOrSlug}", {
  ...access("workspace.write", { people: true }),
  summary: "Update the workspace",
  description:
    "For owners and admins, in the dashboard only; not available to API keys. A new slug changes the workspace URL in the dashboard and releases the old one.",
  request: { params, body: z.strictObject(editWorkspaceBody.shape) },
  returns: [200, workspace, "The updated workspace."],
  run: async ({ scope, params, body }) => {
    assertOwn(scope, params.idOrSlug);
    const outcome = await updateWorkspace(scope, body);
    if (outcome.ok) return { ...outcome.workspace, usage: await readUsage(scope) };
    if (outcome.code === "slug_taken") {
      throw new AppError("conflict", `slug: "${body.slug}" is already taken. Choose another one.`);
    }
    const message = `slug: "${body.slug}" is reserved. Choose another one.`;
    throw new AppError("unprocessable_entity", message);
  },
});

function assertOwn(scope: WorkspaceScope, idOrSlug: string): void {
  if (idOrSlug === scope.workspaceId || idOrSlug === scope.slug) return;
  throw new AppError("not_found", `Workspace "${idOrSlug}" not found.`);
}
