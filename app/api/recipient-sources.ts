import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/sources";
import * as fields from "#lib/outreach/sources/schema";
import { columnsMax, rowsMax, workbookMegabytesMax } from "#lib/platform/tables/schema";
import { access, maskedAnswer, noAnswer } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileBody, openUpload } from "./file-upload.ts";
import { valueOrThrow } from "./read-json.ts";
import { fileResponses, idParams, named, Resource, responses } from "./router.ts";

export const source = named("RecipientSource", fields.sourceShape);
const preview = named("RecipientSourcePreview", fields.sourcePreviewShape);
const ofCampaign = idParams("camp", "The id of the campaign.");
const params = idParams("src", "The id of the recipient source.");

const steps = {
  start: [
    verbs.startSource,
    "Add the recipients of a source",
    "Runs in the background, and resumes after a pause; get the source to check its progress. Rows with problems are skipped.",
  ],
  pause: [
    verbs.pauseSource,
    "Pause a recipient source",
    "Recipients that were added stay. Start it again to continue.",
  ],
  cancel: [
    verbs.cancelSource,
    "Cancel a recipient source",
    "Recipients that were added stay. The file is deleted.",
  ],
  undo: [
    verbs.undoSource,
    "Undo a recipient source",
    "Deletes the recipients that it added, with their links. Not possible once a message was sent or is scheduled, or someone has clicked one of the links.",
  ],
} as const;

export const recipientSources = new Resource("Campaigns");

// Documented, but not parsed by its schema: the body is streamed.
recipientSources.document("uploadRecipients", "post /campaigns/{id}/files", {
  ...access("campaigns.write", { personal: maskedAnswer }),
  summary: "Upload a file of recipients",
  description: [
    `Send the CSV file or Excel workbook (.xlsx, up to ${workbookMegabytesMax} MB) as the request body, or as the field \`file\` of a form. The limits are ${fields.sourceBytesMax / 1_048_576} MB, ${rowsMax.toLocaleString("en")} rows and ${columnsMax} columns.`,
    "Encoding and delimiter are detected, and columns are guessed by their headers. Nobody is added yet: preview the file, then start it.",
    "The file is stored encrypted, and deleted once all of its rows were added.",
  ].join(" "),
  request: { params: ofCampaign, query: fields.uploadRecipientsQuery, file: fileBody },
  responses: responses(201, source, "The source, ready for review."),
});
recipientSources.post("/campaigns/:id/files", async (c) => {
  const given = c.req.query();
  const { name, body, declaredBytes } = await openUpload(c, given["name"]);
  const query = valueOrThrow(fields.uploadRecipientsQuery.safeParse({ ...given, name }));
  const file = { ...query, declaredBytes, signal: c.req.raw.signal };
  return c.json(await verbs.uploadRecipients(c.get("scope"), c.req.param("id"), body, file), 201);
});

recipientSources.answer("addAudience", "post /campaigns/{id}/audiences", {
  ...access("campaigns.write", { personal: maskedAnswer }),
  summary: "Add the recipients of another campaign",
  description:
    "All of them, those who clicked, or those who didn’t. Columns with the same name are copied, and phones that have opted out are refused. Nobody is added until you start it.",
  request: { params: ofCampaign, body: fields.addAudienceBody },
  returns: [201, source, "The source, ready to be started."],
  run: ({ scope, params: { id }, body }) => verbs.addAudience(scope, id, body),
});

recipientSources.answer("listRecipientSources", "get /campaigns/{id}/sources", {
  ...access("campaigns.read", { personal: noAnswer }),
  summary: "List the recipient sources of a campaign",
  description: `Files and other campaigns, newest first. They are kept for ${fields.sourceDays} days.`,
  request: { params: ofCampaign, query: fields.listSourcesQuery },
  returns: [200, z.array(source), "A page of sources."],
  run: ({ scope, params: { id }, query }) => verbs.listRecipientSources(scope, id, query),
});

recipientSources.answer("getRecipientSource", "get /recipient-sources/{id}", {
  ...access("campaigns.read", { personal: noAnswer }),
  summary: "Get a recipient source and its progress",
  description:
    "Shows how many rows were added and refused. Ask again every few seconds until it is done.",
  request: { params },
  returns: [200, source, "The source."],
  run: ({ scope, params }) => verbs.getRecipientSource(scope, params.id),
});

recipientSources.answer("editRecipientSource", "patch /recipient-sources/{id}", {
  ...access("campaigns.write", { personal: noAnswer }),
  summary: "Map the columns of a file of recipients",
  description: "Omitted fields don’t change. Only possible before the start.",
  request: { params, body: fields.changeSourceBody },
  returns: [200, source, "The updated source."],
  run: ({ scope, params, body }) => verbs.changeSource(scope, params.id, body),
});

recipientSources.answer("previewRecipientSource", "get /recipient-sources/{id}/preview", {
  ...access("campaigns.write", { personal: maskedAnswer }),
  summary: "Preview the messages of a recipient source",
  description: `Tries the first ${fields.previewRows} rows without adding anyone, with the reason for each row that would be refused. Without the permission \`people.view\`, phones are masked and texts are null.`,
  request: { params },
  returns: [200, preview, "The rows and their problems."],
  run: ({ scope, params }) => verbs.previewSource(scope, params.id),
});

for (const [name, [take, summary, description]] of Object.entries(steps)) {
  recipientSources.answer(`${name}RecipientSource`, `post /recipient-sources/{id}/${name}`, {
    ...access("campaigns.write", { personal: maskedAnswer }),
    summary,
    description,
    request: { params },
    returns: [200, source, "The source."],
    run: ({ scope, params }) => take(scope, params.id),
  });
}

recipientSources.respond("exportRefusedRecipients", "get /recipient-sources/{id}/refused", {
  ...access("people.view", { personal: true }),
  summary: "Download the refused rows of a file of recipients",
  description:
    "The columns of the file, followed by message ID, line and reason, as CSV. Correct the rows and upload the file again: rows with their message ID replace what was refused. Needs the permission `people.view`.",
  request: { params },
  responses: fileResponses(["text/csv"], "The rows in file order."),
  run: async ({ c, scope, params }) => sendFile(c, await verbs.openRefusedRows(scope, params.id)),
});
