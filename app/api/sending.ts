/** The sending of campaigns over the API. */
import { z } from "@hono/zod-openapi";
import {
  cancelCampaign,
  getSending,
  listSends,
  pauseCampaign,
  resumeCampaign,
  sendTest,
  settleSends,
  startSending,
  tryStart,
} from "#lib/outreach/sending";
import {
  dryRunShape,
  listSendsQuery,
  sendingShape,
  sendShape,
  settleBody,
  settledShape,
  startSendingBody,
  testedMessageShape,
  testMessageBody,
} from "#lib/outreach/sending/schema";
import { access, noAnswer } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Campaigns"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const sending = z.object(sendingShape.shape).openapi("Sending");
const send = z.object(sendShape.shape).openapi("Send");
const params = z.object({ id: z.string().openapi({ example: "camp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const start = createRoute({
  method: "post",
  path: "/campaigns/{id}/start",
  operationId: "startCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Start sending a campaign",
  description:
    "Sends the messages of all recipients with a gateway, now or at a time. A finished campaign can be started again for recipients that were added since: nobody gets a message twice. Opt-outs are checked again when a message is sent.",
  request: { params, ...jsonBody(startSendingBody) },
  responses: responses(200, sending, "The state of the sending."),
});

const dryRun = createRoute({
  method: "post",
  path: "/campaigns/{id}/dry-run",
  operationId: "tryCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Try a start without sending anything",
  description:
    "Takes the same body as a start, with the same checks, and returns what would be sent, what it would cost, and which messages would be refused.",
  request: { params, ...jsonBody(startSendingBody) },
  responses: responses(200, z.object(dryRunShape.shape), "What would be sent."),
});

const test = createRoute({
  method: "post",
  path: "/campaigns/{id}/test",
  operationId: "sendTestMessage",
  ...access("people.view", { also: "campaigns.write", personal: true }),
  tags,
  summary: "Send a test message",
  description:
    "Sends the message of a recipient to another phone, once. Needs the permission `people.view` too, because the message may have personal data.",
  request: { params, ...jsonBody(testMessageBody) },
  responses: responses(200, z.object(testedMessageShape.shape), "The outcome and the text."),
});

const pause = createRoute({
  method: "post",
  path: "/campaigns/{id}/pause",
  operationId: "pauseCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Pause a campaign",
  description: "Messages that are being sent at this moment are finished.",
  request: { params },
  responses: responses(200, sending, "The state of the sending."),
});

const resume = createRoute({
  method: "post",
  path: "/campaigns/{id}/resume",
  operationId: "resumeCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Resume a paused campaign",
  request: { params },
  responses: responses(200, sending, "The state of the sending."),
});

const cancel = createRoute({
  method: "post",
  path: "/campaigns/{id}/cancel",
  operationId: "cancelCampaign",
  ...access("campaigns.write"),
  tags,
  summary: "Cancel a campaign",
  description: "For good: messages that were not sent yet are never sent.",
  request: { params },
  responses: responses(200, sending, "The state of the sending."),
});

const get = createRoute({
  method: "get",
  path: "/campaigns/{id}/sending",
  operationId: "getSending",
  ...access("campaigns.read"),
  tags,
  summary: "Get the state of the sending",
  description: "The state, and the number of messages by state.",
  request: { params },
  responses: responses(200, sending, "The state of the sending."),
});

const list = createRoute({
  method: "get",
  path: "/campaigns/{id}/sends",
  operationId: "listSends",
  ...access("campaigns.read", { personal: noAnswer }),
  tags,
  summary: "List what became of messages",
  description: "In the order of adding, without phones and texts.",
  request: { params, query: listSendsQuery },
  responses: responses(200, z.array(send), "A page of messages."),
});

const settle = createRoute({
  method: "post",
  path: "/campaigns/{id}/settle",
  operationId: "settleSends",
  ...access("campaigns.write"),
  tags,
  summary: "Settle unknown messages",
  description:
    "A message is unknown when the response of the gateway was not seen. Fuxi doesn’t send it again by itself. Look it up at your gateway, and say here whether it was sent.",
  request: { params, ...jsonBody(settleBody) },
  responses: responses(200, z.object(settledShape.shape), "How many were settled."),
});

export const sendings = newRouter();

sendings.openapi(start, async (c) =>
  c.json(await startSending(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
sendings.openapi(dryRun, async (c) =>
  c.json(await tryStart(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
sendings.openapi(test, async (c) =>
  c.json(await sendTest(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
sendings.openapi(pause, async (c) =>
  c.json(await pauseCampaign(c.get("scope"), c.req.valid("param").id), 200),
);
sendings.openapi(resume, async (c) =>
  c.json(await resumeCampaign(c.get("scope"), c.req.valid("param").id), 200),
);
sendings.openapi(cancel, async (c) =>
  c.json(await cancelCampaign(c.get("scope"), c.req.valid("param").id), 200),
);
sendings.openapi(get, async (c) =>
  c.json(await getSending(c.get("scope"), c.req.valid("param").id), 200),
);
sendings.openapi(list, async (c) =>
  c.json(await listSends(c.get("scope"), c.req.valid("param").id, c.req.valid("query")), 200),
);
sendings.openapi(settle, async (c) =>
  c.json(await settleSends(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
