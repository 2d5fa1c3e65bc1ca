/** Leads and sales, reported by the systems of a workspace. Compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { trackLead, trackSale } from "#lib/analytics/conversions";
import {
  trackedLead,
  trackedSale,
  trackLeadBody,
  trackSaleBody,
} from "#lib/analytics/conversions/schema";
import { editCustomer, eraseCustomer, getCustomer, listCustomers } from "#lib/analytics/customers";
import {
  editCustomerBody,
  listCustomersQuery,
  listedCustomer,
} from "#lib/analytics/customers/schema";
import { trackOpen } from "#lib/analytics/opens";
import { trackedOpen, trackOpenBody } from "#lib/analytics/opens/schema";
import { access, maskedAnswer, ownAnswer } from "./access.ts";
import { idempotencyHeader } from "./idempotency.ts";
import { createRoute, jsonBody, newRouter, reportIgnored, responses } from "./router.ts";

const tags = ["Conversions"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const customer = z.object(listedCustomer.shape).openapi("Customer");
const params = z.object({
  id: z.string().openapi({
    description: "The id, or `ext_` and the external id.",
    example: "cus_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  }),
});

const open = createRoute({
  method: "post",
  path: "/track/open",
  operationId: "trackOpen",
  ...access("conversions.write"),
  tags,
  summary: "Track an app open",
  description:
    "Records a click on a short link that opened your app, and returns its id. Send an `Idempotency-Key` to try again without counting twice.",
  request: { headers: idempotencyHeader, ...jsonBody(trackOpenBody.loose()) },
  responses: responses(200, trackedOpen, "The click and its link."),
});

const lead = createRoute({
  method: "post",
  path: "/track/lead",
  operationId: "trackLead",
  ...access("conversions.write", { personal: ownAnswer }),
  tags,
  summary: "Track a lead",
  description:
    "Turn `trackConversion` on for a link, and its destination gets the id of each click as `dub_id`. A click that was not recorded within 3 seconds is answered with 503: try again.",
  request: jsonBody(trackLeadBody.loose()),
  responses: responses(200, trackedLead, "The lead, also where it was recorded before."),
});

const sale = createRoute({
  method: "post",
  path: "/track/sale",
  operationId: "trackSale",
  ...access("conversions.write", { personal: ownAnswer }),
  tags,
  summary: "Track a sale",
  description:
    "The sale counts for the link of the customer’s last lead. The amount is converted to the currency of the instance once, now.",
  request: jsonBody(trackSaleBody.loose()),
  responses: responses(200, trackedSale, "The sale, also where it was recorded before."),
});

const list = createRoute({
  method: "get",
  path: "/customers",
  operationId: "listCustomers",
  ...access("analytics.read", { personal: maskedAnswer }),
  tags,
  summary: "List customers",
  description: "Newest first.",
  request: { query: listCustomersQuery },
  responses: responses(200, z.array(customer), "A page of customers."),
});

const get = createRoute({
  method: "get",
  path: "/customers/{id}",
  operationId: "getCustomer",
  ...access("analytics.read", { personal: maskedAnswer }),
  tags,
  summary: "Get a customer",
  request: { params },
  responses: responses(200, customer, "The customer."),
});

const edit = createRoute({
  method: "patch",
  path: "/customers/{id}",
  operationId: "editCustomer",
  ...access("conversions.write", { also: "people.view", personal: true }),
  tags,
  summary: "Edit a customer",
  description: "Fields that you don’t send stay. Requires the permission `people.view` too.",
  request: { params, ...jsonBody(editCustomerBody.loose()) },
  responses: responses(200, customer, "The customer."),
});

const erase = createRoute({
  method: "delete",
  path: "/customers/{id}",
  operationId: "eraseCustomer",
  ...access("conversions.write", { also: "people.view", personal: true }),
  tags,
  summary: "Erase a customer",
  description:
    "Deletes what is stored about the person, and the metadata of their events. Leads and sales stay counted, without a customer.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the erased customer."),
});

export const track = newRouter();

track.openapi(open, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, trackOpenBody, body);
  return c.json(await trackOpen(c.get("scope"), body, c.req.header("idempotency-key")), 200);
});
track.openapi(lead, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, trackLeadBody, body);
  return c.json(await trackLead(c.get("scope"), body), 200);
});
track.openapi(sale, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, trackSaleBody, body);
  return c.json(await trackSale(c.get("scope"), body), 200);
});
track.openapi(list, async (c) =>
  c.json(await listCustomers(c.get("scope"), c.req.valid("query")), 200),
);
track.openapi(get, async (c) =>
  c.json(await getCustomer(c.get("scope"), c.req.valid("param").id), 200),
);
track.openapi(edit, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, editCustomerBody, body);
  return c.json(await editCustomer(c.get("scope"), c.req.valid("param").id, body), 200);
});
track.openapi(erase, async (c) =>
  c.json(await eraseCustomer(c.get("scope"), c.req.valid("param").id), 200),
);
