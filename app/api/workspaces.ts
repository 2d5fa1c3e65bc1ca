/** The workspace of the caller. There is no other for them, whatever its id or slug. */
import { createRoute, z } from "@hono/zod-openapi";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { roles } from "#lib/tenancy/access/schema";
import { readUsage } from "#lib/tenancy/quotas";
import { getWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { editWorkspaceBody } from "#lib/tenancy/workspaces/schema";
import { answers, jsonBody, newRouter } from "./router.ts";

const tags = ["Workspaces"];
const params = z.object({ idOrSlug: z.string().openapi({ example: "my-workspace" }) });

const usage = z
  .object({
    used: z.number().nullable().describe("Null where nobody counts, because there is no limit."),
    limit: z.number().nullable().describe("What the plan includes; null: without limit."),
  })
  .openapi("Usage");

const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    zone: z.string().describe("The IANA time zone in which its days and months begin."),
    plan: z.string(),
    reuseSeconds: z
      .number()
      .nullable()
      .describe(
        "For how long a url keeps its link when a create says nothing of `reuse`; null: every create makes a new one.",
      ),
    lifetimeSeconds: z
      .number()
      .nullable()
      .describe(
        "After how many seconds a new link ends whose create leaves `expiresAt` out; null: new links have no end. With `expiresAt: null` a create asks for a link without end.",
      ),
    repeatSeconds: z
      .number()
      .nullable()
      .describe(
        "Within so many seconds visits of one visitor to one link count once, and the others apart, with the bots; null: every visit counts.",
      ),
    role: z.enum(roles).describe("Of the caller."),
    createdAt: z.string(),
    usage: z
      .object({
        links: usage.describe("Of this month."),
        domains: usage,
        tags: usage,
        folders: usage,
        members: usage,
        apiKeys: usage,
      })
      .describe("What it uses of its plan."),
  })
  .openapi("Workspace");

const get = createRoute({
  method: "get",
  path: "/workspaces/{idOrSlug}",
  operationId: "getWorkspace",
  tags,
  summary: "The workspace, and what it uses of its plan",
  description:
    "Only the workspace of the key, or of the dashboard, is there: any other id is a 404.",
  request: { params },
  responses: answers(200, workspace, "The workspace."),
});

const edit = createRoute({
  method: "patch",
  path: "/workspaces/{idOrSlug}",
  operationId: "editWorkspace",
  tags,
  summary: "Change the workspace",
  description:
    "For owners and admins in the dashboard: no key may. With another slug the workspace has another address in the dashboard; its old one is free for others.",
  request: { params, ...jsonBody(z.strictObject(editWorkspaceBody.shape)) },
  responses: answers(200, workspace, "The workspace as it is now."),
});

export const workspaces = newRouter();

workspaces.openapi(get, async (c) => {
  const scope = c.get("scope");
  assertOwn(scope, c.req.valid("param").idOrSlug);
  return c.json({ ...(await getWorkspace(scope)), usage: await readUsage(scope) }, 200);
});
workspaces.openapi(edit, async (c) => {
  const scope = c.get("scope");
  assertOwn(scope, c.req.valid("param").idOrSlug);
  const body = c.req.valid("json");
  const outcome = await updateWorkspace(scope, body);
  if (outcome.ok) return c.json({ ...outcome.workspace, usage: await readUsage(scope) }, 200);
  if (outcome.code === "slug_taken") {
    throw new AppError("conflict", `Another workspace has the slug "${body.slug}".`);
  }
  const message = `slug: "${body.slug}" is a word of the dashboard. Choose another one.`;
  throw new AppError("unprocessable_entity", message);
});

function assertOwn(scope: WorkspaceScope, idOrSlug: string): void {
  if (idOrSlug === scope.workspaceId || idOrSlug === scope.slug) return;
  throw new AppError("not_found", `There is no workspace "${idOrSlug}" for you.`);
}
