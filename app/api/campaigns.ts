/** Campaigns over the API: messages with one link per recipient. */
import { z } from "@hono/zod-openapi";
import {
  addRecipients,
  createCampaign,
  deleteCampaign,
  editCampaign,
  exportMessages,
  getCampaign,
  getCampaignStatus,
  listCampaigns,
  listRecipients,
} from "#lib/outreach/campaigns";
import {
  campaignShape,
  campaignStatusShape,
  createCampaignBody,
  editCampaignBody,
  erasedPersonShape,
  erasePersonBody,
  exportMessagesQuery,
  listCampaignsQuery,
  listRecipientsQuery,
  messageShape,
  recipientBody,
  recipientShape,
  recipientsMax,
  refusedShape,
} from "#lib/outreach/campaigns/schema";
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
import { prefers, respondWithJob } from "./prefer.ts";
import { source } from "./recipient-sources.ts";
import {
  type ApiContext,
  createRoute,
  fileResponses,
  jsonBody,
  newRouter,
  responses,
} from "./router.ts";

const tags = ["Campaigns"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const campaign = z.object(campaignShape.shape).openapi("Campaign");
const status = z.object(campaignStatusShape.shape).openapi("CampaignStatus");
const message = z.object(messageShape.shape).openapi("CampaignMessage");
const refused = z.object(refusedShape.shape).openapi("RefusedRecipient");
const recipient = z.object(recipientShape.shape).openapi("Recipient");
const params = z.object({ id: z.string().openapi({ example: "camp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const create = createRoute({
  method: "post",
  path: "/campaigns",
  operationId: "createCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Create a campaign",
  description:
    "A campaign is a message with one short link per recipient. Fuxi prepares the messages. Send them with `POST /campaigns/{id}/start`, or yourself.",
  request: jsonBody(createCampaignBody),
  responses: responses(201, campaign, "The campaign."),
});

const list = createRoute({
  method: "get",
  path: "/campaigns",
  operationId: "listCampaigns",
  ...access("campaigns.read"),
  tags,
  summary: "List campaigns",
  description: "Newest first. Owners and admins get all campaigns, other members their own.",
  request: { query: listCampaignsQuery },
  responses: responses(200, z.array(campaign), "A page of campaigns."),
});

const get = createRoute({
  method: "get",
  path: "/campaigns/{id}",
  operationId: "getCampaign",
  ...access("campaigns.read"),
  tags,
  summary: "Get a campaign",
  request: { params },
  responses: responses(200, campaign, "The campaign."),
});

const edit = createRoute({
  method: "patch",
  path: "/campaigns/{id}",
  operationId: "editCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Update a campaign",
  description:
    "Omitted fields don’t change. Once a campaign has recipients, only `name` and `personalDataDays` can be changed.",
  request: { params, ...jsonBody(editCampaignBody) },
  responses: responses(200, campaign, "The updated campaign."),
});

const remove = createRoute({
  method: "delete",
  path: "/campaigns/{id}",
  operationId: "deleteCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Delete a campaign",
  description: "Deletes its recipients with their data. Their links keep working.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted campaign."),
});

const getStatus = createRoute({
  method: "get",
  path: "/campaigns/{id}/status",
  operationId: "getCampaignStatus",
  ...access("campaigns.read"),
  tags,
  summary: "Get the counts and costs of a campaign",
  request: { params },
  responses: responses(200, status, "Recipients, clicks, parts and costs."),
});

const add = createRoute({
  method: "post",
  path: "/campaigns/{id}/recipients",
  operationId: "addRecipients",
  ...access("campaigns.write", { personal: ownAnswer }),
  tags,
  summary: `Add up to ${recipientsMax} recipients`,
  description:
    "Creates a link for each recipient, and returns the finished messages in the order of the rows, with the reason for each row that was refused. Sending a `messageId` again with the same phone and columns returns the same message, so a request can be repeated safely; a refused one can be corrected. Without the permission `people.view`, 20,000 rows a day can be repeated or refused because of their phone. With `Prefer: respond-async`, the rows are added in the background: get the source at `Location` to check the progress, and list the recipients for their messages.",
  request: {
    params,
    headers: z.object({ prefer: z.string().optional() }),
    ...jsonBody(z.array(recipientBody).max(recipientsMax)),
  },
  responses: {
    ...responses(200, z.array(z.union([message, refused])), "One result per row, in order."),
    202: {
      description: "The background job.",
      content: { "application/json": { schema: source } },
    },
  },
});

const listRows = createRoute({
  method: "get",
  path: "/campaigns/{id}/recipients",
  operationId: "listRecipients",
  // defence: personal-data-declared
  ...access("campaigns.read", { personal: maskedAnswer }),
  tags,
  summary: "List the recipients of a campaign",
  description:
    "In the order of adding. Without the permission `people.view`, phones are masked, and columns and texts are null.",
  request: { params, query: listRecipientsQuery },
  responses: responses(200, z.array(recipient), "A page of recipients."),
});

const exportFile = createRoute({
  method: "get",
  path: "/campaigns/{id}/messages",
  operationId: "exportMessages",
  ...access("people.view", { personal: true }),
  tags,
  summary: "Export the messages of a campaign",
  description:
    "Streams the finished messages for your gateway, in the order of adding, without phones that have opted out. Needs the permission `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only, and texts that a spreadsheet could run as a formula start with an apostrophe.",
  request: { params, query: exportMessagesQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
});

const check = createRoute({
  method: "post",
  path: "/messages/check",
  operationId: "checkMessage",
  ...access("any"),
  tags,
  summary: "Count the parts of a message",
  description:
    "Text messages are billed by part: 160 characters of GSM-7 (153 in longer messages) or 70 of others (67). In mainland China every character counts as one of 70. The response lists the characters that need more room and what can replace them.",
  request: jsonBody(checkTextBody),
  responses: responses(200, z.object(checkedTextShape.shape), "The parts and their cost."),
});

const erase = createRoute({
  method: "post",
  path: "/people/erase",
  operationId: "erasePerson",
  ...access("campaigns.write", { also: "people.view", personal: true }),
  tags,
  summary: "Erase a person",
  description:
    "Deletes all recipients with this phone in all campaigns, their links, and the contact with this phone. If the phone has opted out, only a keyed hash is kept, so that it stays opted out. Needs the permission `people.view` too.",
  request: jsonBody(erasePersonBody),
  responses: responses(200, z.object(erasedPersonShape.shape), "What was deleted."),
});

const rotate = createRoute({
  method: "post",
  path: "/people/rotate-key",
  operationId: "rotatePeopleKey",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Rotate the key of personal data",
  description:
    "New data is encrypted with a new key at once. Existing data is encrypted again in the background; then the old key is deleted.",
  responses: responses(200, z.object({ version: z.number() }), "The version of the new key."),
});

export const campaigns = newRouter();

campaigns.openapi(create, async (c) =>
  c.json(await createCampaign(c.get("scope"), c.req.valid("json")), 201),
);
campaigns.openapi(list, async (c) =>
  c.json(await listCampaigns(c.get("scope"), c.req.valid("query")), 200),
);
campaigns.openapi(get, async (c) =>
  c.json(await getCampaign(c.get("scope"), c.req.valid("param").id), 200),
);
campaigns.openapi(edit, async (c) =>
  c.json(await editCampaign(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
campaigns.openapi(remove, async (c) =>
  c.json(await deleteCampaign(c.get("scope"), c.req.valid("param").id), 200),
);
campaigns.openapi(getStatus, async (c) =>
  c.json(await getCampaignStatus(c.get("scope"), c.req.valid("param").id), 200),
);
campaigns.openapi(listRows, async (c) =>
  c.json(await listRecipients(c.get("scope"), c.req.valid("param").id, c.req.valid("query")), 200),
);
campaigns.openapi(exportFile, async (c) =>
  sendFile(c, await exportMessages(c.get("scope"), c.req.valid("param").id, c.req.valid("query"))),
);
campaigns.openapi(check, async (c) => c.json(checkText(c.req.valid("json")), 200));
campaigns.openapi(erase, async (c) =>
  c.json(await erasePerson(c.get("scope"), c.req.valid("json")), 200),
);
campaigns.openapi(rotate, async (c) =>
  c.json({ version: await rotatePeopleKeys(c.get("scope")) }, 200),
);

// Documented, but not parsed by its schema in one go: ten thousand rows would block visits.
campaigns.openAPIRegistry.registerPath(add);
campaigns.post("/campaigns/:id/recipients", async (c) => {
  const rows = await readRows(c);
  if (prefers(c, "respond-async")) {
    const job = await startRecipients(c.get("scope"), c.req.param("id"), rows);
    return respondWithJob(c, `/recipient-sources/${job.id}`, job);
  }
  const results = await addRecipients(c.get("scope"), c.req.param("id"), rows);
  return respondInParts(c, results.values());
});

async function readRows(c: ApiContext): Promise<unknown[]> {
  const limits = { itemsMax: recipientsMax, bytesMax: bytesMaxOf(c) };
  const rows = await readJsonArray(c.req.raw, limits);
  if (rows.length > 0) return rows;
  throw new AppError("unprocessable_entity", `Send 1 to ${recipientsMax} recipients per request.`);
}
