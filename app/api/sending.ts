import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/sending";
import * as fields from "#lib/outreach/sending/schema";
import { access, noAnswer } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const sending = named("Sending", fields.sendingShape);
const send = named("Send", fields.sendShape);
const params = idParams("camp", "The id of the campaign.");

export const sendings = new Resource("Campaigns");

sendings.answer("startCampaign", "post /campaigns/{id}/start", {
  ...access("campaigns.write"),
  summary: "Start sending a campaign",
  description:
    "Sends the messages of all recipients with a gateway, now or at a time. A finished campaign can be started again for recipients that were added since: nobody gets a message twice. Opt-outs are checked again when a message is sent.",
  request: { params, body: fields.startSendingBody },
  returns: [200, sending, "The state of the sending."],
  run: ({ scope, params, body }) => verbs.startSending(scope, params.id, body),
});

sendings.answer("tryCampaign", "post /campaigns/{id}/dry-run", {
  ...access("campaigns.write"),
  summary: "Try a start without sending anything",
  description:
    "Takes the same body as a start, with the same checks, and returns what would be sent, what it would cost, and which messages would be refused.",
  request: { params, body: fields.startSendingBody },
  returns: [200, z.object(fields.dryRunShape.shape), "What would be sent."],
  run: ({ scope, params, body }) => verbs.tryStart(scope, params.id, body),
});

sendings.answer("sendTestMessage", "post /campaigns/{id}/test", {
  ...access("people.view", { also: "campaigns.write", personal: true }),
  summary: "Send a test message",
  description:
    "Sends the message of a recipient to another phone, once. Needs the permission `people.view` too, because the message may have personal data.",
  request: { params, body: fields.testMessageBody },
  returns: [200, z.object(fields.testedMessageShape.shape), "The outcome and the text."],
  run: ({ scope, params, body }) => verbs.sendTest(scope, params.id, body),
});

sendings.answer("pauseCampaign", "post /campaigns/{id}/pause", {
  ...access("campaigns.write"),
  summary: "Pause a campaign",
  description: "Messages that are being sent at this moment are finished.",
  request: { params },
  returns: [200, sending, "The state of the sending."],
  run: ({ scope, params }) => verbs.pauseCampaign(scope, params.id),
});

sendings.answer("resumeCampaign", "post /campaigns/{id}/resume", {
  ...access("campaigns.write"),
  summary: "Resume a paused campaign",
  description: "Messages that weren’t sent before the pause are sent now.",
  request: { params },
  returns: [200, sending, "The state of the sending."],
  run: ({ scope, params }) => verbs.resumeCampaign(scope, params.id),
});

sendings.answer("cancelCampaign", "post /campaigns/{id}/cancel", {
  ...access("campaigns.write"),
  summary: "Cancel a campaign",
  description: "Can’t be undone: messages that haven’t been sent are never sent.",
  request: { params },
  returns: [200, sending, "The state of the sending."],
  run: ({ scope, params }) => verbs.cancelCampaign(scope, params.id),
});

sendings.answer("getSending", "get /campaigns/{id}/sending", {
  ...access("campaigns.read"),
  summary: "Get the state of the sending",
  description: "The state, and the number of messages by state.",
  request: { params },
  returns: [200, sending, "The state of the sending."],
  run: ({ scope, params }) => verbs.getSending(scope, params.id),
});

sendings.answer("listSends", "get /campaigns/{id}/sends", {
  ...access("campaigns.read", { personal: noAnswer }),
  summary: "List messages and their states",
  description: "In the order of adding, without phones and texts.",
  request: { params, query: fields.listSendsQuery },
  returns: [200, z.array(send), "A page of messages."],
  run: ({ scope, params, query }) => verbs.listSends(scope, params.id, query),
});

sendings.answer("settleSends", "post /campaigns/{id}/settle", {
  ...access("campaigns.write"),
  summary: "Settle unknown messages",
  description:
    "A message is unknown when the response of the gateway was not seen. Fuxi doesn’t send it again by itself. Check with your gateway, and record here whether it was sent.",
  request: { params, body: fields.settleBody },
  returns: [200, z.object(fields.settledShape.shape), "The number of settled messages."],
  run: ({ scope, params, body }) => verbs.settleSends(scope, params.id, body),
});
