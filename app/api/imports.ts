import { z } from "@hono/zod-openapi";
import { columnsMax, rowsMax, workbookMegabytesMax } from "#lib/platform/tables/schema";
import * as verbs from "#lib/transfer/imports";
import * as fields from "#lib/transfer/imports/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileBody, openUpload } from "./file-upload.ts";
import { valueOrThrow } from "./read-json.ts";
import { fileResponses, idParams, named, Resource, responses } from "./router.ts";

const importFull = named("Import", fields.importShape);
const summary = named("ImportSummary", fields.importSummaryShape);
const preview = named("ImportPreview", fields.previewShape);
const refusedRow = named("ImportRefusal", fields.refusedRowShape);
const params = idParams("imp", "The id of the import.");
export const imports = new Resource("Imports");

// Documented, but not parsed by its schema: the body is streamed.
imports.document("uploadImport", "post /imports", {
  ...access("links.write"),
  summary: "Upload a file of links",
  description: [
    `Send the CSV, Excel, JSON or SQL file as the request body with the header Content-Type: text/csv, or as the field \`file\` of a form (curl -F file=@links.csv). The limits are ${fields.bytesMax / 1_073_741_824} GB, ${rowsMax.toLocaleString("en")} rows and ${columnsMax} columns.`,
    "Encoding (UTF-8, UTF-16, GB18030, windows-1252) and delimiter (comma, semicolon, tab, pipe) are detected.",
    `In an Excel workbook (.xlsx) of up to ${workbookMegabytesMax} MB, the first visible sheet is read.`,
    "JSON (a list of objects, an object with a list such as `links`, or one object per line) and SQL dumps of YOURLS in UTF-8 are recognized by their contents.",
    "No links are created yet; the response contains a suggested mapping of columns to fields.",
  ].join(" "),
  request: { query: fields.uploadQuery, file: fileBody },
  responses: responses(201, importFull, "The import, ready for review."),
});
imports.post("/imports", async (c) => {
  const given = c.req.query();
  valueOrThrow(fields.uploadQuery.safeParse(given));
  const { name, body, declaredBytes } = await openUpload(c, given["name"]);
  const query = valueOrThrow(fields.uploadQuery.safeParse({ ...given, name }));
  const { signal } = c.req.raw;
  return c.json(
    await verbs.uploadImport(c.get("scope"), body, query, { declaredBytes, signal }),
    201,
  );
});

imports.answer("listImports", "get /imports", {
  ...access("links.read"),
  summary: "List imports",
  description: `Returns a page of your imports, newest first; owners and admins see those of all members. Imports are kept for ${fields.keptDays} days.`,
  request: { query: fields.listImportsQuery },
  returns: [200, z.array(summary), "A page of imports."],
  run: ({ scope, query }) => verbs.listImports(scope, query),
});

imports.answer("getImport", "get /imports/{id}", {
  ...access("links.read"),
  summary: "Get an import and its progress",
  description:
    "A running import shows `done` and `rows`; ask again every few seconds until its `state` is done, failed or cancelled.",
  request: { params },
  returns: [200, importFull, "The import."],
  run: ({ scope, params }) => verbs.getImport(scope, params.id),
});

imports.answer("updateImport", "patch /imports/{id}", {
  ...access("links.write"),
  summary: "Map columns and set options",
  description: `\`mapping\` has a field or null for each column of the file; \`options\` apply to every row, and those that you send replace the former ones: \`domains\` says where the rows of each domain go. Only possible before the import is started. Fields: ${fields.fieldNames.join(", ")}.`,
  request: { params, body: fields.changeImportBody },
  returns: [200, importFull, "The updated import."],
  run: ({ scope, params, body }) => verbs.changeImport(scope, params.id, body),
});

imports.answer("previewImport", "get /imports/{id}/preview", {
  ...access("links.write"),
  summary: "Preview an import",
  description: `Checks the first ${fields.checkedRows.toLocaleString("en")} rows without creating links. \`rows\` and \`problems\` show the first ${fields.previewRows}; \`refused\`, \`creates\` and \`domains\` count all that were checked. \`obstacle\` is the reason why the import can’t be started, if any.`,
  request: { params },
  returns: [200, preview, "The rows and their problems."],
  run: ({ scope, params }) => verbs.previewImport(scope, params.id),
});

imports.answer("startImport", "post /imports/{id}/start", {
  ...access("links.write"),
  summary: "Start an import",
  description:
    "Runs in the background; get the import to check its progress. Rows with problems are skipped.",
  request: { params },
  returns: [200, importFull, "The queued import."],
  run: ({ scope, params }) => verbs.startImport(scope, params.id),
});

imports.answer("cancelImport", "post /imports/{id}/cancel", {
  ...access("links.write"),
  summary: "Cancel an import",
  description:
    "Links that were already created are kept. The results show which rows weren’t processed.",
  request: { params },
  returns: [200, importFull, "The canceled import."],
  run: ({ scope, params }) => verbs.cancelImport(scope, params.id),
});

imports.answer("deleteImport", "delete /imports/{id}", {
  ...access("links.write"),
  summary: "Delete an import",
  description: "Deletes the file and the results. The links are kept.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted import."],
  run: ({ scope, params }) => verbs.deleteImport(scope, params.id),
});

imports.answer("listImportRefusals", "get /imports/{id}/refused", {
  ...access("links.read"),
  summary: "List skipped rows of an import",
  description:
    "Returns a page of the rows without a link, in file order: the line, the first cells, and what to change.",
  request: { params, query: fields.listRefusedQuery },
  returns: [200, z.array(refusedRow), "A page of rows."],
  run: ({ scope, params: { id }, query }) => verbs.listRefusedRows(scope, id, query),
});

imports.respond("getImportResults", "get /imports/{id}/results", {
  ...access("links.read"),
  summary: "Download import results as CSV",
  description:
    "Returns the columns of the file, followed by short link, id, line, outcome (made, refused, not done) and reason. `only=failed` returns the rows without a link, to fix and upload again. Passwords are replaced by ********.",
  request: { params, query: fields.resultsQuery },
  responses: fileResponses(["text/csv"], "The rows in file order."),
  run: async ({ c, scope, params, query }) =>
    sendFile(c, await verbs.openResults(scope, params.id, query)),
});
