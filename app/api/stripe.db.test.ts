/** The webhook of Stripe over HTTP: what proves an event, its limits, and what it changes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { startCheckout } from "#lib/tenancy/billing";
import { readPlanState } from "#lib/tenancy/plan-changes";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { eventBody, FakeStripe, signatureOf, stripeKey, webhookSecret } from "../../test/stripe.ts";
import { describeApi, fetchApi } from "./index.ts";

const stripe = new FakeStripe();
process.env["FUXI_STRIPE_API_URL"] = await stripe.listen();
openTestStores({
  FUXI_STRIPE_SECRET_KEY: stripeKey,
  FUXI_STRIPE_WEBHOOK_SECRET: webhookSecret,
  FUXI_STRIPE_OFFERS: "trial eur=1",
});

let scope: WorkspaceScope;
beforeAll(async () => {
  scope = await makeTestScope("hooked");
});
afterAll(() => stripe.close());

async function post(body: string, signature: string | undefined = signatureOf(body)) {
  const headers = signature === "" ? {} : { "Stripe-Signature": signature };
  const request = new Request("http://localhost:3000/api/stripe/webhook", {
    method: "POST",
    headers,
    body,
  });
  const response = await fetchApi(request, "203.0.113.7");
  return { status: response.status, body: await response.json() };
}

test("without a signature, or with one of another body, an event is a 400 in the form of every error", async () => {
  const body = eventBody("customer.created", {});
  for (const signature of ["", "t=1,v1=0", signatureOf(`${body} `)]) {
    const answer = await post(body, signature);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: {
        code: "bad_request",
        message: expect.stringMatching(/signature|Signature/),
        doc_url: expect.stringContaining("/docs/api/errors#bad_request"),
      },
    });
  }
});

test("an event has up to 256 KB", async () => {
  const padded = (bytes: number) => {
    const body = eventBody("customer.created", { description: "" });
    return body.replace('"description":""', `"description":"${"x".repeat(bytes - body.length)}"`);
  };
  const most = padded(256 * 1024);
  expect(most).toHaveLength(256 * 1024);
  expect(await post(most)).toEqual({ status: 200, body: { received: true } });
  const more = await post(padded(256 * 1024 + 1));
  expect(more.status).toBe(400);
  expect(more.body.error.message).toMatch(/too large.*256 KB/);
});

test("a signed event of an unknown customer is accepted, so that it is not sent again", async () => {
  const object = { object: "subscription", customer: "cus_of_another_system" };
  expect((await post(eventBody("customer.subscription.updated", object))).status).toBe(200);
});

test("a paid trial begins with its event, and an outage of Stripe asks for the event again", async () => {
  const id = (await startCheckout(scope, "trial trial eur")).split("/").at(-1) ?? "";
  const { customer } = stripe.pay(id);
  const body = eventBody("checkout.session.completed", { id, customer });
  stripe.isDown = true;
  expect((await post(body)).status).toBe(503);
  stripe.isDown = false;
  expect((await readPlanState(scope)).plan).toBe("free");
  expect((await post(body)).status).toBe(200);
  expect((await readPlanState(scope)).plan).toBe("trial");
});

test("the document of the API has no webhook", () => {
  expect(Object.keys(describeApi().paths ?? {}).filter((path) => /stripe/.test(path))).toEqual([]);
});
