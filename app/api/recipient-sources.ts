/** Sources of recipients over the API: files, and recipients of other campaigns. */
import { z } from "@hono/zod-openapi";
import {
  addAudience,
  cancelSource,
  changeSource,
  getRecipientSource,
  listRecipientSources,
  openRefusedRows,
  pauseSource,
  previewSource,
  startSource,
  undoSource,
  uploadRecipients,
} from "#lib/outreach/sources";
import {
  addAudienceBody,
  changeSourceBody,
  listSourcesQuery,
  previewRows,
  sourceBytesMax,
  sourceDays,
  sourcePreviewShape,
  sourceShape,
  uploadRecipientsQuery,
} from "#lib/outreach/sources/schema";
import { columnsMax, rowsMax, workbookMegabytesMax } from "#lib/platform/tables/schema";
import { access, maskedAnswer, noAnswer } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileBody, openUpload } from "./file-upload.ts";
import { valueOrThrow } from "./read-json.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Campaigns"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
export const source = z.object(sourceShape.shape).openapi("RecipientSource");
const preview = z.object(sourcePreviewShape.shape).openapi("RecipientSourcePreview");
const ofCampaign = z.object({
  id: z.string().openapi({ example: "camp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }),
});
const params = z.object({ id: z.string().openapi({ example: "src_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const upload = createRoute({
  method: "post",
  path: "/campaigns/{id}/files",
  operationId: "uploadRecipients",
  ...access("campaigns.write", { personal: maskedAnswer }),
  tags,
  summary: "Upload a file of recipients",
  description: [
    `Send the CSV file or Excel workbook (.xlsx, up to ${workbookMegabytesMax} MB) as the request body, or as the field \`file\` of a form. The limits are ${sourceBytesMax / 1_048_576} MB, ${rowsMax.toLocaleString("en")} rows and ${columnsMax} columns.`,
    "Encoding and delimiter are detected, and columns are guessed by their headers. Nobody is added yet: preview the file, then start it.",
    "The file is stored encrypted, and deleted once all of its rows were added.",
  ].join(" "),
  request: { params: ofCampaign, query: uploadRecipientsQuery, body: fileBody },
  responses: responses(201, source, "The source, ready for review."),
});

const audience = createRoute({
  method: "post",
  path: "/campaigns/{id}/audiences",
  operationId: "addAudience",
  ...access("campaigns.write", { personal: maskedAnswer }),
  tags,
  summary: "Take the recipients of another campaign",
  description:
    "All of them, those who clicked, or those who didn’t. Columns of the same name are taken over, and phones that have opted out are refused. Nobody is added until you start it.",
  request: { params: ofCampaign, ...jsonBody(addAudienceBody) },
  responses: responses(201, source, "The source, ready to be started."),
});

const list = createRoute({
  method: "get",
  path: "/campaigns/{id}/sources",
  operationId: "listRecipientSources",
  ...access("campaigns.read", { personal: noAnswer }),
  tags,
  summary: "List the recipient sources of a campaign",
  description: `Files and other campaigns, newest first. They are kept for ${sourceDays} days.`,
  request: { params: ofCampaign, query: listSourcesQuery },
  responses: responses(200, z.array(source), "A page of sources."),
});

const get = createRoute({
  method: "get",
  path: "/recipient-sources/{id}",
  operationId: "getRecipientSource",
  ...access("campaigns.read", { personal: noAnswer }),
  tags,
  summary: "Get a recipient source and its progress",
  request: { params },
  responses: responses(200, source, "The source."),
});

const edit = createRoute({
  method: "patch",
  path: "/recipient-sources/{id}",
  operationId: "editRecipientSource",
  ...access("campaigns.write", { personal: noAnswer }),
  tags,
  summary: "Map the columns of a file of recipients",
  description: "Omitted fields don’t change. Only possible before the start.",
  request: { params, ...jsonBody(changeSourceBody) },
  responses: responses(200, source, "The updated source."),
});

const previewRoute = createRoute({
  method: "get",
  path: "/recipient-sources/{id}/preview",
  operationId: "previewRecipientSource",
  ...access("campaigns.write", { personal: maskedAnswer }),
  tags,
  summary: "Preview the messages of a recipient source",
  description: `Tries the first ${previewRows} rows without adding anyone, with the reason for each row that would be refused. Without the permission \`people.view\`, phones are masked and texts are null.`,
  request: { params },
  responses: responses(200, preview, "The rows and their problems."),
});

const stepOf = (name: string, operationId: string, summary: string, description: string) =>
  createRoute({
    method: "post",
    path: `/recipient-sources/{id}/${name}`,
    operationId,
    ...access("campaigns.write", { personal: maskedAnswer }),
    tags,
    summary,
    description,
    request: { params },
    responses: responses(200, source, "The source."),
  });

const start = stepOf(
  "start",
  "startRecipientSource",
  "Add the recipients of a source",
  "Runs in the background, and continues after a pause; get the source to check its progress. Rows with problems are skipped.",
);
const pause = stepOf(
  "pause",
  "pauseRecipientSource",
  "Pause a recipient source",
  "Recipients that were added stay. Start it again to continue.",
);
const cancel = stepOf(
  "cancel",
  "cancelRecipientSource",
  "Cancel a recipient source",
  "Recipients that were added stay. The file is deleted.",
);
const undo = stepOf(
  "undo",
  "undoRecipientSource",
  "Undo a recipient source",
  "Deletes the recipients that it added, with their links. Not possible once a message was sent or is scheduled, or someone has clicked one of the links.",
);

const refused = createRoute({
  method: "get",
  path: "/recipient-sources/{id}/refused",
  operationId: "exportRefusedRecipients",
  ...access("people.view", { personal: true }),
  tags,
  summary: "Download the refused rows of a file of recipients",
  description:
    "The columns of the file, followed by message ID, line and reason, as CSV. Correct the rows and upload the file again: rows with their message ID replace what was refused. Needs the permission `people.view`.",
  request: { params },
  responses: fileResponses(["text/csv"], "The rows in file order."),
});

export const recipientSources = newRouter();

// Documented, but not parsed by its schema: the body is streamed.
recipientSources.openAPIRegistry.registerPath(upload);
recipientSources.post("/campaigns/:id/files", async (c) => {
  const given = c.req.query();
  const { name, body, declaredBytes } = await openUpload(c, given["name"]);
  const query = valueOrThrow(uploadRecipientsQuery.safeParse({ ...given, name }));
  const file = { ...query, declaredBytes, signal: c.req.raw.signal };
  return c.json(await uploadRecipients(c.get("scope"), c.req.param("id"), body, file), 201);
});
recipientSources.openapi(audience, async (c) => {
  const { id } = c.req.valid("param");
  return c.json(await addAudience(c.get("scope"), id, c.req.valid("json")), 201);
});
recipientSources.openapi(list, async (c) => {
  const { id } = c.req.valid("param");
  return c.json(await listRecipientSources(c.get("scope"), id, c.req.valid("query")), 200);
});
recipientSources.openapi(get, async (c) =>
  c.json(await getRecipientSource(c.get("scope"), c.req.valid("param").id), 200),
);
recipientSources.openapi(edit, async (c) =>
  c.json(await changeSource(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
recipientSources.openapi(previewRoute, async (c) =>
  c.json(await previewSource(c.get("scope"), c.req.valid("param").id), 200),
);
recipientSources.openapi(start, async (c) =>
  c.json(await startSource(c.get("scope"), c.req.valid("param").id), 200),
);
recipientSources.openapi(pause, async (c) =>
  c.json(await pauseSource(c.get("scope"), c.req.valid("param").id), 200),
);
recipientSources.openapi(cancel, async (c) =>
  c.json(await cancelSource(c.get("scope"), c.req.valid("param").id), 200),
);
recipientSources.openapi(undo, async (c) =>
  c.json(await undoSource(c.get("scope"), c.req.valid("param").id), 200),
);
recipientSources.openapi(refused, async (c) =>
  sendFile(c, await openRefusedRows(c.get("scope"), c.req.valid("param").id)),
);
