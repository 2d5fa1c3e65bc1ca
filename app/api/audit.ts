import { z } from "@hono/zod-openapi";
import { recordTypes } from "#lib/platform/downloads/schema";
import { exportAudit, listAudit } from "#lib/tenancy/audit";
import { auditEntryShape, auditQuery, exportAuditQuery } from "#lib/tenancy/audit/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileResponses, named, Resource } from "./router.ts";

const entry = named("AuditEntry", auditEntryShape);

export const audit = new Resource("Account");

audit.answer("listAudit", "get /audit", {
  ...access("audit.read"),
  summary: "List audit log entries, newest first",
  description: "Shows who changed what, from which address. Entries are never edited.",
  request: { query: auditQuery },
  returns: [200, z.array(entry), "A page of audit log entries."],
  run: ({ scope, query }) => listAudit(scope, query),
});

audit.respond("exportAudit", "get /audit/export", {
  ...access("audit.read"),
  summary: "Export the audit log",
  description:
    "Streams all entries that match the filters, newest first. In CSV files, cells that a spreadsheet could run as a formula start with an apostrophe.",
  request: { query: exportAuditQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: ({ c, scope, query }) => sendFile(c, exportAudit(scope, query)),
});
