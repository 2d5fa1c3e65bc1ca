import { z } from "@hono/zod-openapi";
import { mapTable } from "#lib/basics/variants/schema";
import { permissions, roles } from "#lib/tenancy/access/schema";
import { quotaLabels } from "#lib/tenancy/plans/schema";
import { readUsage } from "#lib/tenancy/quotas";
import { access } from "./access.ts";
import { Resource } from "./router.ts";

const usage = z.object({
  /** Null where nothing is counted, because the plan has no limit. */
  used: z.number().nullable(),
  limit: z.number().nullable(),
});

const meShape = z
  .object({
    userId: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    role: z.enum(roles),
    permissions: z.array(z.enum(permissions)),
    workspace: z.object({ id: z.string(), slug: z.string(), zone: z.string(), plan: z.string() }),
    usage: z.object(mapTable(quotaLabels, () => usage)),
  })
  .openapi("Me");

export const me = new Resource("Account");

me.answer("getMe", "get /me", {
  ...access("any", { limitedKeys: true }),
  summary: "Get the current caller and its permissions",
  description: "Returns who is calling, in which workspace, and what they may do there.",
  returns: [200, meShape, "The caller."],
  run: async ({ scope }) => ({
    userId: scope.userId,
    apiKeyId: scope.apiKeyPk === null ? null : scope.actor,
    role: scope.role,
    permissions: [...scope.permissions],
    workspace: { id: scope.workspaceId, slug: scope.slug, zone: scope.zone, plan: scope.plan },
    usage: await readUsage(scope),
  }),
});
