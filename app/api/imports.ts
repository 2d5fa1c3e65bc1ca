/** Imports: uploaded as files, previewed, and processed. */
import { z } from "@hono/zod-openapi";
import { columnsMax, rowsMax, workbookMegabytesMax } from "#lib/platform/tables/schema";
import {
  cancelImport,
  changeImport,
  deleteImport,
  getImport,
  listImports,
  listRefusedRows,
  openResults,
  previewImport,
  startImport,
  uploadImport,
} from "#lib/transfer/imports";
import {
  bytesMax,
  changeImportBody,
  fieldNames,
  importShape,
  importSummaryShape,
  keptDays,
  listImportsQuery,
  listRefusedQuery,
  previewRows,
  previewShape,
  refusedRowShape,
  resultsQuery,
  uploadQuery,
} from "#lib/transfer/imports/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileBody, openUpload } from "./file-upload.ts";
import { valueOrThrow } from "./read-json.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Imports"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const importFull = z.object(importShape.shape).openapi("Import");
const summary = z.object(importSummaryShape.shape).openapi("ImportSummary");
const preview = z.object(previewShape.shape).openapi("ImportPreview");
const refusedRow = z.object(refusedRowShape.shape).openapi("ImportRefusal");
const params = z.object({ id: z.string().openapi({ example: "imp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });
const upload = createRoute({
  method: "post",
  path: "/imports",
  operationId: "uploadImport",
  ...access("links.write"),
  tags,
  summary: "Upload a file of links",
  description: [
    `Send the CSV, Excel, JSON or SQL file as the request body with the header Content-Type: text/csv, or as the field \`file\` of a form (curl -F file=@links.csv). The limits are ${bytesMax / 1_073_741_824} GB, ${rowsMax.toLocaleString("en")} rows and ${columnsMax} columns.`,
    "Encoding (UTF-8, UTF-16, GB18030, windows-1252) and delimiter (comma, semicolon, tab, pipe) are detected.",
    `Of an Excel workbook (.xlsx) of up to ${workbookMegabytesMax} MB, the first visible sheet is read.`,
    "JSON (a list of objects, an object with a list such as `links`, or one object per line) and SQL dumps of YOURLS in UTF-8 are recognized by their contents.",
    "No links are created yet; the response contains a suggested mapping of columns to fields.",
  ].join(" "),
  request: {
    query: uploadQuery,
    body: fileBody,
  },
  responses: responses(201, importFull, "The import, ready for review."),
});

const list = createRoute({
  method: "get",
  path: "/imports",
  operationId: "listImports",
  ...access("links.read"),
  tags,
  summary: "List imports",
  description: `Returns a page of your imports, newest first; owners and admins see those of all members. Imports are kept for ${keptDays} days.`,
  request: { query: listImportsQuery },
  responses: responses(200, z.array(summary), "A page of imports."),
});

const get = createRoute({
  method: "get",
  path: "/imports/{id}",
  operationId: "getImport",
  ...access("links.read"),
  tags,
  summary: "Get an import and its progress",
  request: { params },
  responses: responses(200, importFull, "The import."),
});

const change = createRoute({
  method: "patch",
  path: "/imports/{id}",
  operationId: "updateImport",
  ...access("links.write"),
  tags,
  summary: "Map columns and set options",
  description: `\`mapping\` has a field or null for each column of the file; \`options\` apply to every row. Only possible before the import is started. Fields: ${fieldNames.join(", ")}.`,
  request: { params, ...jsonBody(changeImportBody) },
  responses: responses(200, importFull, "The updated import."),
});

const previewRoute = createRoute({
  method: "get",
  path: "/imports/{id}/preview",
  operationId: "previewImport",
  ...access("links.write"),
  tags,
  summary: "Preview an import",
  description: `Validates the first ${previewRows} rows without creating links. \`problems\` lists lines to fix; \`obstacle\` is the reason why the import can’t be started, if any.`,
  request: { params },
  responses: responses(200, preview, "The rows and their problems."),
});

const start = createRoute({
  method: "post",
  path: "/imports/{id}/start",
  operationId: "startImport",
  ...access("links.write"),
  tags,
  summary: "Start an import",
  description:
    "Runs in the background; get the import to check its progress. Rows with problems are skipped.",
  request: { params },
  responses: responses(200, importFull, "The queued import."),
});

const cancel = createRoute({
  method: "post",
  path: "/imports/{id}/cancel",
  operationId: "cancelImport",
  ...access("links.write"),
  tags,
  summary: "Cancel an import",
  description:
    "Links that were already created are kept. The results show which rows weren’t processed.",
  request: { params },
  responses: responses(200, importFull, "The canceled import."),
});

const remove = createRoute({
  method: "delete",
  path: "/imports/{id}",
  operationId: "deleteImport",
  ...access("links.write"),
  tags,
  summary: "Delete an import",
  description: "Deletes the file and the results. The links are kept.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted import."),
});

const results = createRoute({
  method: "get",
  path: "/imports/{id}/results",
  operationId: "getImportResults",
  ...access("links.read"),
  tags,
  summary: "Download import results as CSV",
  description:
    "Returns the columns of the file, followed by short link, id, line, outcome (made, refused, not done) and reason. `only=failed` returns the rows without a link, to fix and upload again. Passwords are replaced by ********.",
  request: { params, query: resultsQuery },
  responses: fileResponses(["text/csv"], "The rows in file order."),
});

const refused = createRoute({
  method: "get",
  path: "/imports/{id}/refused",
  operationId: "listImportRefusals",
  ...access("links.read"),
  tags,
  summary: "List skipped rows of an import",
  description:
    "Returns a page of the rows without a link, in file order: the line, the first cells, and what to change.",
  request: { params, query: listRefusedQuery },
  responses: responses(200, z.array(refusedRow), "A page of rows."),
});

export const imports = newRouter();

// Documented, but not parsed by its schema: the body is streamed.
imports.openAPIRegistry.registerPath(upload);
imports.post("/imports", async (c) => {
  const given = c.req.query();
  valueOrThrow(uploadQuery.safeParse(given));
  const { name, body, declaredBytes } = await openUpload(c, given["name"]);
  const query = valueOrThrow(uploadQuery.safeParse({ ...given, name }));
  const { signal } = c.req.raw;
  return c.json(await uploadImport(c.get("scope"), body, query, { declaredBytes, signal }), 201);
});

imports.openapi(list, async (c) =>
  c.json(await listImports(c.get("scope"), c.req.valid("query")), 200),
);
imports.openapi(get, async (c) =>
  c.json(await getImport(c.get("scope"), c.req.valid("param").id), 200),
);
imports.openapi(change, async (c) =>
  c.json(await changeImport(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
imports.openapi(previewRoute, async (c) =>
  c.json(await previewImport(c.get("scope"), c.req.valid("param").id), 200),
);
imports.openapi(start, async (c) =>
  c.json(await startImport(c.get("scope"), c.req.valid("param").id), 200),
);
imports.openapi(cancel, async (c) =>
  c.json(await cancelImport(c.get("scope"), c.req.valid("param").id), 200),
);
imports.openapi(remove, async (c) =>
  c.json(await deleteImport(c.get("scope"), c.req.valid("param").id), 200),
);
imports.openapi(refused, async (c) => {
  const { id } = c.req.valid("param");
  return c.json(await listRefusedRows(c.get("scope"), id, c.req.valid("query")), 200);
});
imports.openapi(results, async (c) =>
  sendFile(c, await openResults(c.get("scope"), c.req.valid("param").id, c.req.valid("query"))),
);
