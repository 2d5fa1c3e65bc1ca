/**
 * The pages of the fake Stripe, for a browser: Checkout, where a session is paid or left, and the customer portal, where a
 * subscription is canceled. They follow docs.stripe.com/payments/checkout/how-checkout-works ("Payment UI: Stripe-hosted":
 * the customer returns to `success_url` or `cancel_url`), docs.stripe.com/checkout/fulfillment (events are sent whether or
 * not the customer returns) and docs.stripe.com/customer-management (cancellation at the end of the period). Version
 * 2026-10-28.endive of the API.
 */
import type { ServerResponse } from "node:http";
import {
  eventBody,
  FakeStripe,
  type FakeSubscription,
  newStripeId,
  signatureOf,
} from "./stripe.ts";

const monthSeconds = 30 * 86_400;

export class FakeStripeSite extends FakeStripe {
  readonly #origin: string;
  readonly #endpoint: string;

  /** `endpoint` is the webhook that gets the events. */
  constructor(origin: string, endpoint: string) {
    super();
    this.#origin = origin;
    this.#endpoint = endpoint;
  }

  /** Sends an event, signed, and returns the status of the answer. */
  async send(type: string, object: object): Promise<number> {
    const body = eventBody(type, { ...object });
    const headers = { "Content-Type": "application/json", "Stripe-Signature": signatureOf(body) };
    const answer = await fetch(this.#endpoint, { method: "POST", headers, body });
    return answer.status;
  }

  /** The payment of the next period fails. */
  async failPayment(customer: string): Promise<void> {
    const subscription = this.#subscriptionOf(customer);
    subscription.status = "past_due";
    await this.send("customer.subscription.updated", { object: "subscription", customer });
    const parent = { subscription_details: { subscription: subscription.id } };
    await this.send("invoice.payment_failed", { object: "invoice", customer, parent });
  }

  protected override pageOf(kind: "c/pay" | "p/session", id: string): string {
    return `${this.#origin}/${kind}/${id}`;
  }

  protected override async answerPage(path: string, res: ServerResponse): Promise<boolean> {
    const [, kind, page, id = "", done] = path.split("/");
    if (kind === "c" && page === "pay") {
      if (done === "paid") await this.#finish(id, res);
      else this.#showCheckout(id, res);
      return true;
    }
    if (kind === "p" && page === "session") {
      if (done === "canceled") await this.#cancel(id, res);
      else this.#showPortal(id, res);
      return true;
    }
    return false;
  }

  #showCheckout(id: string, res: ServerResponse): void {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`No session ${id}`);
    showPage(
      res,
      "Pay",
      `<p>${session.amount_total / 100} ${session.currency.toUpperCase()}</p>
      <form method="post" action="/c/pay/${id}/paid"><button>Pay now</button></form>
      <a href="${session.cancel_url}">Back</a>`,
    );
  }

  async #finish(id: string, res: ServerResponse): Promise<void> {
    const { customer, mode, success_url, subscription_metadata: metadata } = this.pay(id);
    if (mode === "subscription") {
      const created = Math.floor(Date.now() / 1_000);
      const subscription: FakeSubscription = {
        id: newStripeId("sub"),
        customer,
        status: "active",
        created,
        metadata,
        current_period_end: created + monthSeconds,
      };
      this.subscriptions.push(subscription);
      await this.send("customer.subscription.created", { object: "subscription", customer });
    }
    await this.send("checkout.session.completed", { id, object: "checkout.session", customer });
    res.writeHead(303, { Location: success_url }).end();
  }

  #showPortal(id: string, res: ServerResponse): void {
    const portal = this.portals.get(id);
    if (!portal) throw new Error(`No portal ${id}`);
    showPage(
      res,
      "Your subscription",
      `<form method="post" action="/p/session/${id}/canceled"><button>Cancel plan</button></form>
      <a href="${portal.return_url}">Return to Fuxi</a>`,
    );
  }

  async #cancel(id: string, res: ServerResponse): Promise<void> {
    const customer = this.portals.get(id)?.customer ?? "";
    const subscription = this.#subscriptionOf(customer);
    subscription.cancel_at = subscription.current_period_end;
    await this.send("customer.subscription.updated", { object: "subscription", customer });
    res.writeHead(303, { Location: `/p/session/${id}` }).end();
  }

  #subscriptionOf(customer: string): FakeSubscription {
    const found = this.subscriptions.find((one) => one.customer === customer);
    if (!found) throw new Error(`No subscription of ${customer}`);
    return found;
  }
}

function showPage(res: ServerResponse, heading: string, content: string): void {
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.end(`<!doctype html><title>${heading}</title><h1>${heading}</h1>${content}`);
}
