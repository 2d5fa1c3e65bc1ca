/** The SMS gateways of a workspace over the API. */
import { z } from "@hono/zod-openapi";
import {
  checkGateway,
  createGateway,
  deleteGateway,
  editGateway,
  getGateway,
  listGateways,
} from "#lib/outreach/gateway-accounts";
import {
  createGatewayBody,
  editGatewayBody,
  gatewayCheckShape,
  gatewayShape,
} from "#lib/outreach/gateway-accounts/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Gateways"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const gateway = z.object(gatewayShape.shape).openapi("Gateway");
const params = z.object({ id: z.string().openapi({ example: "gw_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const list = createRoute({
  method: "get",
  path: "/gateways",
  operationId: "listGateways",
  ...access("campaigns.read"),
  tags,
  summary: "List gateways",
  description: "Newest first. Secrets are never returned.",
  responses: responses(200, z.array(gateway), "The gateways."),
});

const get = createRoute({
  method: "get",
  path: "/gateways/{id}",
  operationId: "getGateway",
  ...access("campaigns.read"),
  tags,
  summary: "Get a gateway",
  request: { params },
  responses: responses(200, gateway, "The gateway."),
});

const create = createRoute({
  method: "post",
  path: "/gateways",
  operationId: "createGateway",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Create a gateway",
  description:
    "For owners and admins. Fuxi sends with any gateway that takes one message per HTTP request, with Twilio, and with templates of Alibaba Cloud that have the link as fixed text and its slug as a variable. Gateways that allow no link that differs by recipient can’t be used.",
  request: jsonBody(createGatewayBody),
  responses: responses(201, gateway, "The gateway."),
});

const edit = createRoute({
  method: "patch",
  path: "/gateways/{id}",
  operationId: "editGateway",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Update a gateway",
  description: "For owners and admins. Omitted fields don’t change.",
  request: { params, ...jsonBody(editGatewayBody) },
  responses: responses(200, gateway, "The updated gateway."),
});

const remove = createRoute({
  method: "delete",
  path: "/gateways/{id}",
  operationId: "deleteGateway",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Delete a gateway",
  description: "For owners and admins. Its receipts and replies are refused from then on.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted gateway."),
});

const check = createRoute({
  method: "post",
  path: "/gateways/{id}/check",
  operationId: "checkGateway",
  ...access("campaigns.write"),
  tags,
  summary: "Check a gateway",
  description: "Whether it can be reached and accepts the account. Sends no message.",
  request: { params },
  responses: responses(200, z.object(gatewayCheckShape.shape), "The result."),
});

export const gateways = newRouter();

gateways.openapi(list, async (c) => c.json(await listGateways(c.get("scope")), 200));
gateways.openapi(get, async (c) =>
  c.json(await getGateway(c.get("scope"), c.req.valid("param").id), 200),
);
gateways.openapi(create, async (c) =>
  c.json(await createGateway(c.get("scope"), c.req.valid("json")), 201),
);
gateways.openapi(edit, async (c) =>
  c.json(await editGateway(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
gateways.openapi(remove, async (c) =>
  c.json(await deleteGateway(c.get("scope"), c.req.valid("param").id), 200),
);
gateways.openapi(check, async (c) =>
  c.json(await checkGateway(c.get("scope"), c.req.valid("param").id), 200),
);
