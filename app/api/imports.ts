/** Files of links: uploaded as they are, looked at, and worked through. */
import { createRoute, z } from "@hono/zod-openapi";
import { AppError } from "#lib/platform/errors";
import {
  cancelImport,
  changeImport,
  deleteImport,
  getImport,
  listImports,
  openResults,
  previewImport,
  startImport,
  uploadImport,
} from "#lib/transfer/imports";
import {
  bytesMax,
  changeImportBody,
  columnsMax,
  fieldNames,
  importShape,
  importSummaryShape,
  keptDays,
  listImportsQuery,
  previewRows,
  previewShape,
  resultsQuery,
  rowsMax,
  uploadQuery,
} from "#lib/transfer/imports/schema";
import { sendFile } from "./download.ts";
import { accepted } from "./read-json.ts";
import { answers, fileAnswers, jsonBody, newRouter } from "./router.ts";

const tags = ["Imports"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const whole = z.object(importShape.shape).openapi("Import");
const summary = z.object(importSummaryShape.shape).openapi("ImportSummary");
const preview = z.object(previewShape.shape).openapi("ImportPreview");
const params = z.object({ id: z.string().openapi({ example: "imp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });
const file = { type: "string" as const, format: "binary" };
const types = /^(text\/csv|application\/octet-stream|text\/plain|application\/vnd\.ms-excel)\b/i;

const upload = createRoute({
  method: "post",
  path: "/imports",
  operationId: "uploadImport",
  tags,
  summary: "Upload a file of links",
  description: [
    `Send the CSV itself as the body, with the header Content-Type: text/csv: at most ${bytesMax / 1_073_741_824} GB, ${rowsMax.toLocaleString("en")} rows and ${columnsMax} columns.`,
    "Encoding (UTF-8, UTF-16, GB18030, windows-1252) and delimiter (comma, semicolon, tab, pipe) are found out.",
    "Nothing is made yet: the answer says what the columns probably are.",
  ].join(" "),
  request: {
    query: uploadQuery,
    body: {
      required: true,
      content: { "text/csv": { schema: file }, "application/octet-stream": { schema: file } },
    },
  },
  responses: answers(201, whole, "The import, ready to be looked at."),
});

const list = createRoute({
  method: "get",
  path: "/imports",
  operationId: "listImports",
  tags,
  summary: "The imports of the workspace",
  description: `A page of them, the newest first. Each is kept ${keptDays} days.`,
  request: { query: listImportsQuery },
  responses: answers(200, z.array(summary), "The imports."),
});

const get = createRoute({
  method: "get",
  path: "/imports/{id}",
  operationId: "getImport",
  tags,
  summary: "An import, and how far it is",
  request: { params },
  responses: answers(200, whole, "The import."),
});

const change = createRoute({
  method: "patch",
  path: "/imports/{id}",
  operationId: "updateImport",
  tags,
  summary: "Say what the columns are",
  description: `\`mapping\` has a field or null for each column of the file; \`options\` hold for every row. Only for an import that was not started. The fields are: ${fieldNames.join(", ")}.`,
  request: { params, ...jsonBody(changeImportBody) },
  responses: answers(200, whole, "The import as it is now."),
});

const look = createRoute({
  method: "get",
  path: "/imports/{id}/preview",
  operationId: "previewImport",
  tags,
  summary: "The first rows as links",
  description: `Tries the first ${previewRows} rows with the code that makes links, and writes nothing. \`problems\` name the line of the file and what to change; \`obstacle\` says what keeps the whole import from being started.`,
  request: { params },
  responses: answers(200, preview, "The rows, and what is wrong with some of them."),
});

const start = createRoute({
  method: "post",
  path: "/imports/{id}/start",
  operationId: "startImport",
  tags,
  summary: "Make the links",
  description:
    "Goes on after the answer; ask for the import to see how far it is. A row that is refused harms no other.",
  request: { params },
  responses: answers(200, whole, "The import, waiting for a worker."),
});

const cancel = createRoute({
  method: "post",
  path: "/imports/{id}/cancel",
  operationId: "cancelImport",
  tags,
  summary: "Stop an import",
  description: "Links that were made stay. The results say which rows were not done.",
  request: { params },
  responses: answers(200, whole, "The import as it ended."),
});

const remove = createRoute({
  method: "delete",
  path: "/imports/{id}",
  operationId: "deleteImport",
  tags,
  summary: "Delete an import",
  description: "Its file and its results are gone at once; its links stay.",
  request: { params },
  responses: answers(200, z.object({ id: z.string() }), "The id of the import that is gone."),
});

const results = createRoute({
  method: "get",
  path: "/imports/{id}/results",
  operationId: "getImportResults",
  tags,
  summary: "What the rows came to, as CSV",
  description:
    "The columns of the file, and behind them short link, id, line, outcome (made, refused, not done) and reason. With `only=failed` the rows that made no link: correct them, and upload that file.",
  request: { params, query: resultsQuery },
  responses: fileAnswers(["text/csv"], "The rows, in the order of the file."),
});

export const imports = newRouter();

// Described, but not parsed by its schema: the body is read while it arrives.
imports.openAPIRegistry.registerPath(upload);
imports.post("/imports", async (c) => {
  const asked = accepted(uploadQuery.safeParse(c.req.query()));
  if (!types.test(c.req.header("content-type") ?? "")) {
    const message = "Send the file itself as the body, with the header Content-Type: text/csv.";
    throw new AppError("bad_request", message);
  }
  // Absent for a body in chunks.
  const declaredBytes = Number(c.req.header("content-length")) || 0;
  const body = c.req.raw.body;
  return c.json(await uploadImport(c.get("scope"), body, asked, declaredBytes), 201);
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
imports.openapi(look, async (c) =>
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
imports.openapi(results, async (c) =>
  sendFile(c, await openResults(c.get("scope"), c.req.valid("param").id, c.req.valid("query"))),
);
