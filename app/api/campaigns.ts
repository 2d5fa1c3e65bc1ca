import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/campaigns";
import * as fields from "#lib/outreach/campaigns/schema";
import { erasePerson } from "#lib/outreach/erasing";
import { checkText } from "#lib/outreach/segments";
import { checkedTextShape, checkTextBody } from "#lib/outreach/segments/schema";
import { startRecipients } from "#lib/outreach/sources";
import { recordTypes } from "#lib/platform/downloads/schema";
import { AppError } from "#lib/platform/errors";
import { rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { access, maskedAnswer, ownAnswer } from "./access.ts";
import { bytesMaxOf } from "./body.ts";
import { sendFile } from "./download.ts";
import { readJsonArray } from "./large-body.ts";
import { respondInParts } from "./links-bulk-response.ts";
import { preferHeader, prefers, respondWithJob } from "./prefer.ts";
import { source } from "./recipient-sources.ts";
import { type ApiContext, fileResponses, idParams, named, Resource, responses } from "./router.ts";

const campaign = named("Campaign", fields.campaignShape);
const status = named("CampaignStatus", fields.campaignStatusShape);
const message = named("CampaignMessage", fields.messageShape);
const refused = named("RefusedRecipient", fields.refusedShape);
const recipient = named("Recipient", fields.recipientShape);
const params = idParams("camp", "The id of the campaign.");

export const campaigns = new Resource("Campaigns");

campaigns.answer("createCampaign", "post /campaigns", {
  ...access("campaigns.write"),
  summary: "Create a campaign",
  description:
    "A campaign is a message with one short link per recipient. Fuxi prepares the messages. Send them with `POST /campaigns/{id}/start`, or yourself.",
  request: { body: fields.createCampaignRequest },
  returns: [201, campaign, "The campaign."],
  run: ({ scope, body }) => verbs.createCampaign(scope, body),
});

campaigns.answer("listCampaigns", "get /campaigns", {
  ...access("campaigns.read"),
  summary: "List campaigns",
  description: "Newest first. Owners and admins get all campaigns, other members their own.",
  request: { query: fields.listCampaignsQuery },
  returns: [200, z.array(campaign), "A page of campaigns."],
  run: ({ scope, query }) => verbs.listCampaigns(scope, query),
});

campaigns.answer("getCampaign", "get /campaigns/{id}", {
  ...access("campaigns.read"),
  summary: "Get a campaign",
  description: "Returns the settings of the campaign, without its recipients.",
  request: { params },
  returns: [200, campaign, "The campaign."],
  run: ({ scope, params }) => verbs.getCampaign(scope, params.id),
});

campaigns.answer("editCampaign", "patch /campaigns/{id}", {
  ...access("campaigns.write"),
  summary: "Update a campaign",
  description:
    "Omitted fields don’t change. Once a campaign has recipients, only `name`, `checkDestination` and `personalDataDays` can be changed.",
  request: { params, body: fields.editCampaignRequest },
  returns: [200, campaign, "The updated campaign."],
  run: ({ scope, params, body }) => verbs.editCampaign(scope, params.id, body),
});

campaigns.answer("deleteCampaign", "delete /campaigns/{id}", {
  ...access("campaigns.write"),
  summary: "Delete a campaign",
  description: "Deletes its recipients with their data. Their links keep working.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted campaign."],
  run: ({ scope, params }) => verbs.deleteCampaign(scope, params.id),
});

campaigns.answer("getCampaignStatus", "get /campaigns/{id}/status", {
  ...access("campaigns.read"),
  summary: "Get the counts and costs of a campaign",
  description: "Counts recipients, clicks, parts and refused rows, and adds up the costs.",
  request: { params },
  returns: [200, status, "Recipients, clicks, parts and costs."],
  run: ({ scope, params }) => verbs.getCampaignStatus(scope, params.id),
});

campaigns.answer("listRecipients", "get /campaigns/{id}/recipients", {
  // defence: personal-data-declared
  ...access("campaigns.read", { personal: maskedAnswer }),
  summary: "List the recipients of a campaign",
  description:
    "In the order of adding. Without the permission `people.view`, phones are masked, and columns and texts are null.",
  request: { params, query: fields.listRecipientsQuery },
  returns: [200, z.array(recipient), "A page of recipients."],
  run: ({ scope, params, query }) => verbs.listRecipients(scope, params.id, query),
});

campaigns.respond("exportRecipients", "get /campaigns/{id}/recipients/export", {
  ...access("campaigns.read", { personal: maskedAnswer }),
  summary: "Export the recipients of a campaign",
  description:
    "Streams all recipients that match the filters, in the order of adding, also those who opted out. Without the permission `people.view`, phones are masked, and columns and texts are empty. Each export is recorded in the audit log. In CSV files and workbooks, phones have no `+`.",
  request: { params, query: fields.exportRecipientsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: async ({ c, scope, params, query }) =>
    sendFile(c, await verbs.exportRecipients(scope, params.id, query)),
});

campaigns.respond("exportMessages", "get /campaigns/{id}/messages", {
  ...access("people.view", { personal: true }),
  summary: "Export the messages of a campaign",
  description:
    "Streams the finished messages for your gateway, in the order of adding, without phones that have opted out. Needs the permission `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only, and texts that a spreadsheet could run as a formula start with an apostrophe.",
  request: { params, query: fields.exportMessagesQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: async ({ c, scope, params, query }) =>
    sendFile(c, await verbs.exportMessages(scope, params.id, query)),
});

campaigns.answer("checkMessage", "post /messages/check", {
  ...access("any"),
  summary: "Count the parts of a message",
  description:
    "Text messages are billed by part: 160 characters of GSM-7 (153 in longer messages) or 70 of others (67). In mainland China every character counts as one of 70. The response lists the characters that need more room and what can replace them.",
  request: { body: checkTextBody },
  returns: [200, z.object(checkedTextShape.shape), "The parts and their cost."],
  run: ({ body }) => checkText(body),
});

campaigns.answer("erasePerson", "post /people/erase", {
  ...access("campaigns.write", { also: "people.view", personal: true }),
  summary: "Erase a person",
  description:
    "Deletes all recipients with this phone in all campaigns, their links, and the contact with this phone. If the phone has opted out, only a keyed hash is kept, so that it stays opted out. Needs the permission `people.view` too.",
  request: { body: fields.erasePersonBody },
  returns: [200, z.object(fields.erasedPersonShape.shape), "What was deleted."],
  run: ({ scope, body }) => erasePerson(scope, body),
});

campaigns.answer("rotatePeopleKey", "post /people/rotate-key", {
  ...access("workspace.write", { people: true }),
  summary: "Rotate the key of personal data",
  description:
    "New data is encrypted with a new key at once. Existing data is encrypted again in the background; then the old key is deleted.",
  returns: [200, z.object({ version: z.number() }), "The version of the new key."],
  run: async ({ scope }) => ({ version: await rotatePeopleKeys(scope) }),
});

// Documented only. Parsing ten thousand rows with the schema in one go would block visits.
campaigns.document("addRecipients", "post /campaigns/{id}/recipients", {
  ...access("campaigns.write", { personal: ownAnswer }),
  summary: `Add up to ${fields.recipientsMax} recipients`,
  description:
    "Creates a link for each recipient, and returns the finished messages in the order of the rows, with the reason for each row that was refused. Sending a `messageId` again with the same phone and columns returns the same message, so a request can be repeated safely; a refused one can be corrected. Without the permission `people.view`, 20,000 rows a day can be repeated or refused because of their phone. With `Prefer: respond-async`, the rows are added in the background: get the source at `Location` to check the progress, and list the recipients for their messages.",
  request: {
    params,
    headers: preferHeader,
    body: z.array(fields.recipientBody).max(fields.recipientsMax),
  },
  responses: {
    ...responses(200, z.array(z.union([message, refused])), "One result per row, in order."),
    202: {
      description: "The background job.",
      content: { "application/json": { schema: source } },
    },
  },
});
campaigns.post("/campaigns/:id/recipients", async (c) => {
  const rows = await readRows(c);
  if (prefers(c, "respond-async")) {
    const job = await startRecipients(c.get("scope"), c.req.param("id"), rows);
    return respondWithJob(c, `/recipient-sources/${job.id}`, job);
  }
  const results = await verbs.addRecipients(c.get("scope"), c.req.param("id"), rows);
  return respondInParts(c, results.values());
});

async function readRows(c: ApiContext): Promise<unknown[]> {
  const limits = { itemsMax: fields.recipientsMax, bytesMax: bytesMaxOf(c) };
  const rows = await readJsonArray(c.req.raw, limits);
  if (rows.length > 0) return rows;
  throw new AppError(
    "unprocessable_entity",
    `Send 1 to ${fields.recipientsMax} recipients per request.`,
  );
}
