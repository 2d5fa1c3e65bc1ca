import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/gateway-accounts";
import * as fields from "#lib/outreach/gateway-accounts/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const gateway = named("Gateway", fields.gatewayShape);
const params = idParams("gw", "The id of the gateway.");

export const gateways = new Resource("Gateways");

gateways.answer("listGateways", "get /gateways", {
  ...access("campaigns.read"),
  summary: "List gateways",
  description: "Newest first. Secrets are never returned.",
  returns: [200, z.array(gateway), "The gateways."],
  run: ({ scope }) => verbs.listGateways(scope),
});

gateways.answer("getGateway", "get /gateways/{id}", {
  ...access("campaigns.read"),
  summary: "Get a gateway",
  description: "Returns the settings of the gateway, without its secrets.",
  request: { params },
  returns: [200, gateway, "The gateway."],
  run: ({ scope, params }) => verbs.getGateway(scope, params.id),
});

gateways.answer("createGateway", "post /gateways", {
  ...access("workspace.write", { people: true }),
  summary: "Create a gateway",
  description:
    "For owners and admins. Fuxi sends with any gateway that takes one message per HTTP request, with Twilio, and with templates of Alibaba Cloud that have the link as fixed text and its slug as a variable. Gateways that require the same link for every recipient can’t be used.",
  request: { body: fields.createGatewayBody },
  returns: [201, gateway, "The gateway."],
  run: ({ scope, body }) => verbs.createGateway(scope, body),
});

gateways.answer("editGateway", "patch /gateways/{id}", {
  ...access("workspace.write", { people: true }),
  summary: "Update a gateway",
  description: "For owners and admins. Omitted fields don’t change.",
  request: { params, body: fields.editGatewayBody },
  returns: [200, gateway, "The updated gateway."],
  run: ({ scope, params, body }) => verbs.editGateway(scope, params.id, body),
});

gateways.answer("deleteGateway", "delete /gateways/{id}", {
  ...access("workspace.write", { people: true }),
  summary: "Delete a gateway",
  description: "For owners and admins. Receipts and replies for it are refused from then on.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted gateway."],
  run: ({ scope, params }) => verbs.deleteGateway(scope, params.id),
});

gateways.answer("checkGateway", "post /gateways/{id}/check", {
  ...access("campaigns.write"),
  summary: "Check a gateway",
  description:
    "Checks that the gateway can be reached and accepts the account. Doesn’t send a message.",
  request: { params },
  returns: [200, z.object(fields.gatewayCheckShape.shape), "The result."],
  run: ({ scope, params }) => verbs.checkGateway(scope, params.id),
});
