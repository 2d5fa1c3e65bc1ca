/** Who did what, for owners, admins and keys that may read it. */
import { createRoute, z } from "@hono/zod-openapi";
import { auditEntryShape, auditQuery } from "#lib/audit/schema";
import { listAudit } from "#lib/workspaces";
import { answers, newRouter } from "./router.ts";

// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const entry = z.object(auditEntryShape.shape).openapi("AuditEntry");

const list = createRoute({
  method: "get",
  path: "/audit",
  operationId: "listAudit",
  tags: ["Account"],
  summary: "What was done in the workspace, and by whom, newest first",
  request: { query: auditQuery },
  responses: answers(200, z.array(entry), "A page of entries."),
});

export const audit = newRouter().openapi(list, async (c) =>
  c.json(await listAudit(c.get("scope"), c.req.valid("query")), 200),
);
