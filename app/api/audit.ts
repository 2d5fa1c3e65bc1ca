/** The audit log, for owners, admins and keys with its permission. */
import { z } from "@hono/zod-openapi";
import { recordTypes } from "#lib/platform/downloads/schema";
import { exportAudit, listAudit } from "#lib/tenancy/audit";
import { auditEntryShape, auditQuery, exportAuditQuery } from "#lib/tenancy/audit/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { createRoute, fileResponses, newRouter, responses } from "./router.ts";

// Created again: only schemas created after loading the OpenAPI extension have its methods.
const entry = z.object(auditEntryShape.shape).openapi("AuditEntry");

const list = createRoute({
  method: "get",
  path: "/audit",
  operationId: "listAudit",
  ...access("audit.read"),
  tags: ["Account"],
  summary: "List audit log entries, newest first",
  request: { query: auditQuery },
  responses: responses(200, z.array(entry), "A page of audit log entries."),
});

const exportList = createRoute({
  method: "get",
  path: "/audit/export",
  operationId: "exportAudit",
  ...access("audit.read"),
  tags: ["Account"],
  summary: "Export the audit log",
  description:
    "Streams all entries that match the filters, newest first. In CSV files, cells that a spreadsheet could run as a formula start with an apostrophe.",
  request: { query: exportAuditQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
});

export const audit = newRouter();

audit.openapi(list, async (c) =>
  c.json(await listAudit(c.get("scope"), c.req.valid("query")), 200),
);
audit.openapi(exportList, (c) => sendFile(c, exportAudit(c.get("scope"), c.req.valid("query"))));
