/** Leads and sales, reported by the systems of a workspace. Compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { trackLead, trackSale } from "#lib/analytics/conversions";
import * as fields from "#lib/analytics/conversions/schema";
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
import { named, Resource } from "./router.ts";

const customer = named("Customer", listedCustomer);
const params = z.object({
  id: z.string().openapi({
    description: "The id, or `ext_` and the external id.",
    example: "cus_01KAYV5M3EJ2Q4R8ZC7D0N6XWB",
  }),
});

export const track = new Resource("Conversions");

track.answer("trackOpen", "post /track/open", {
  ...access("conversions.write"),
  summary: "Track an app open",
  description:
    "Records a click on a short link that opened your app, and returns its id. Send an `Idempotency-Key` to try again without counting twice.",
  request: { headers: idempotencyHeader, looseBody: trackOpenBody },
  returns: [200, trackedOpen, "The click and its link."],
  run: ({ c, scope, body }) => trackOpen(scope, body, c.req.header("idempotency-key")),
});

track.answer("trackLead", "post /track/lead", {
  ...access("conversions.write", { personal: ownAnswer }),
  summary: "Track a lead",
  description:
    "Turn `trackConversion` on for a link, and its destination gets the id of each click as `dub_id`. If a click isn’t recorded within 3 seconds, the `link` is null and the lead is recorded later; with the mode `wait`, the response is 503: try again.",
  request: { looseBody: fields.trackLeadBody },
  returns: [200, fields.trackedLead, "The lead, even if it was already recorded."],
  run: ({ scope, body }) => trackLead(scope, body),
});

track.answer("trackSale", "post /track/sale", {
  ...access("conversions.write", { personal: ownAnswer }),
  summary: "Track a sale",
  description:
    "The sale counts for the link of the customer’s last lead. The amount is converted to the currency of the instance once, now.",
  request: { looseBody: fields.trackSaleBody },
  returns: [200, fields.trackedSale, "The sale, even if it was already recorded."],
  run: ({ scope, body }) => trackSale(scope, body),
});

track.answer("listCustomers", "get /customers", {
  ...access("analytics.read", { personal: maskedAnswer }),
  summary: "List customers",
  description:
    "Newest first, unless sorted. Filters by what is known about people (`email`, `search`) need the permission `people.view`.",
  request: { query: listCustomersQuery },
  returns: [200, z.array(customer), "A page of customers."],
  run: ({ scope, query }) => listCustomers(scope, query),
});

track.answer("getCustomer", "get /customers/{id}", {
  ...access("analytics.read", { personal: maskedAnswer }),
  summary: "Get a customer",
  description: "Returns what is known about the customer, and the link of the first lead.",
  request: { params },
  returns: [200, customer, "The customer."],
  run: ({ scope, params }) => getCustomer(scope, params.id),
});

track.answer("editCustomer", "patch /customers/{id}", {
  ...access("conversions.write", { also: "people.view", personal: true }),
  summary: "Edit a customer",
  description: "Omitted fields don’t change. Also requires the permission `people.view`.",
  request: { params, looseBody: editCustomerBody },
  returns: [200, customer, "The customer."],
  run: ({ scope, params, body }) => editCustomer(scope, params.id, body),
});

track.answer("eraseCustomer", "delete /customers/{id}", {
  ...access("conversions.write", { also: "people.view", personal: true }),
  summary: "Erase a customer",
  description:
    "Deletes what is stored about the person, and the metadata of their events. Leads and sales stay counted, without a customer.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the erased customer."],
  run: ({ scope, params }) => eraseCustomer(scope, params.id),
});
