/**
 * A server that behaves as the API of Stripe does for what Fuxi calls. It follows docs.stripe.com/api, version
 * 2026-10-28.endive: "Customers: create", "Checkout Sessions: create, retrieve", "Subscriptions: list", "Customer portal:
 * sessions", "Refunds: create", "Charges: list", "Disputes: list", "Idempotent requests", "Authentication". Periods are on the items of a subscription
 * (changelog 2025-03-31.basil), and an invoice names its subscription under `parent.subscription_details`.
 *
 * Signatures follow docs.stripe.com/webhooks, "Verify webhook signatures manually": HMAC-SHA256 of `<time>.<body>`.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export const stripeKey = "sk_test_0123456789abcdef";
export const webhookSecret = "whsec_0123456789abcdef";

export interface FakeSubscription {
  id: string;
  customer: string;
  status: string;
  created: number;
  metadata: Record<string, string>;
  current_period_end: number;
  cancel_at?: number | null;
}

export interface FakeSession {
  id: string;
  customer: string;
  mode: string;
  payment_status: string;
  metadata: Record<string, string>;
  amount_total: number;
  currency: string;
  payment_intent: string | null;
  url: string;
  success_url: string;
  cancel_url: string;
  /** Metadata of the subscription that starts when the session is paid. */
  subscription_metadata: Record<string, string>;
}

interface Call {
  method: string;
  path: string;
  params: URLSearchParams;
  idempotencyKey: string | undefined;
  version: string | undefined;
}

export class FakeStripe {
  readonly calls: Call[] = [];
  readonly subscriptions: FakeSubscription[] = [];
  readonly sessions = new Map<string, FakeSession>();
  readonly portals = new Map<string, { customer: string; return_url: string }>();
  readonly refunds: string[] = [];
  /** By payment: how many percent of it were refunded. */
  readonly refunded = new Map<string, number>();
  readonly disputes: { id: string; payment_intent: string; status: string }[] = [];
  /** Called before an answer: to delay it, or to change what exists meanwhile. */
  beforeAnswer: (call: Call) => Promise<void> = async () => undefined;
  isDown = false;
  readonly #repeated = new Map<string, unknown>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((req, res) => void this.#answer(req, res));
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(port, "127.0.0.1", done));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("No port");
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** The person pays a session. */
  pay(id: string): FakeSession {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`No session ${id}`);
    session.payment_status = "paid";
    session.payment_intent = session.mode === "payment" ? `pi_${id}` : null;
    return session;
  }

  /** The page where a session is paid, or a portal. */
  protected pageOf(kind: "c/pay" | "p/session", id: string): string {
    const host = kind === "c/pay" ? "checkout" : "billing";
    return `https://${host}.stripe.com/${kind}/${id}`;
  }

  /** Answers a request of a browser; false: it is one of the API. */
  protected answerPage(_path: string, _res: ServerResponse): Promise<boolean> {
    return Promise.resolve(false);
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? "/", "http://stripe");
    const body = await textOf(req);
    if (await this.answerPage(url.pathname, res)) return;
    const call: Call = {
      method: req.method ?? "",
      path: url.pathname,
      params: req.method === "GET" ? url.searchParams : new URLSearchParams(body),
      idempotencyKey: req.headers["idempotency-key"]?.toString(),
      version: req.headers["stripe-version"]?.toString(),
    };
    this.calls.push(call);
    const send = (status: number, value: unknown) => {
      res.writeHead(status, { "Content-Type": "application/json" });
      res.end(JSON.stringify(value));
    };
    if (this.isDown) return send(500, { error: { type: "api_error", message: "Down" } });
    if (req.headers.authorization !== `Bearer ${stripeKey}`) {
      return send(401, { error: { type: "invalid_request_error", message: "Invalid API Key" } });
    }
    const value = this.#valueOf(call);
    await this.beforeAnswer(call);
    if (value === undefined) {
      return send(404, {
        error: { type: "invalid_request_error", code: "resource_missing", message: "No such" },
      });
    }
    send(200, value);
  }

  #valueOf(call: Call): unknown {
    const { idempotencyKey: key } = call;
    if (key && this.#repeated.has(key)) return this.#repeated.get(key);
    const value = this.#freshValueOf(call);
    if (key && call.method === "POST") this.#repeated.set(key, value);
    return value;
  }

  #freshValueOf({ method, path, params }: Call): unknown {
    const id = path.split("/").at(-1) ?? "";
    switch (`${method} ${path.replace(/\/(cs_test|sub)_\w+$/, "/:id")}`) {
      case "POST /v1/customers":
        return { id: newStripeId("cus"), object: "customer", metadata: metadataOf(params) };
      case "POST /v1/checkout/sessions":
        return this.#createSession(params);
      case "GET /v1/checkout/sessions":
        return listOf(
          path,
          [...this.sessions.values()].filter(
            (one) => one.payment_intent === params.get("payment_intent"),
          ),
        );
      case "GET /v1/charges": {
        const payment_intent = params.get("payment_intent") ?? "";
        const percent = this.refunded.get(payment_intent) ?? 0;
        const charge = {
          id: `ch_${payment_intent}`,
          object: "charge",
          payment_intent,
          amount: 100,
        };
        return listOf(path, [{ ...charge, amount_refunded: percent, refunded: percent === 100 }]);
      }
      case "GET /v1/disputes":
        return listOf(
          path,
          this.disputes.filter((one) => one.payment_intent === params.get("payment_intent")),
        );
      case "GET /v1/checkout/sessions/:id":
        return structuredClone(this.sessions.get(id));
      case "POST /v1/billing_portal/sessions":
        return this.#createPortal(params);
      case "POST /v1/refunds":
        this.refunds.push(params.get("payment_intent") ?? "");
        return { id: newStripeId("re"), object: "refund", status: "succeeded" };
      case "POST /v1/subscriptions/:id": {
        const found = this.subscriptions.find((one) => one.id === id);
        if (found) found.cancel_at = found.current_period_end;
        return found && presentSubscription(found);
      }
      case "GET /v1/subscriptions": {
        const data = this.subscriptions.filter((one) => one.customer === params.get("customer"));
        return listOf(path, data.map(presentSubscription));
      }
      default:
        return undefined;
    }
  }

  #createPortal(params: URLSearchParams) {
    const id = newStripeId("bps");
    const portal = {
      customer: params.get("customer") ?? "",
      return_url: params.get("return_url") ?? "",
    };
    this.portals.set(id, portal);
    return { id, object: "billing_portal.session", ...portal, url: this.pageOf("p/session", id) };
  }

  #createSession(params: URLSearchParams): FakeSession {
    const id = newStripeId("cs_test");
    const session = {
      id,
      customer: params.get("customer") ?? "",
      mode: params.get("mode") ?? "",
      payment_status: "unpaid",
      metadata: metadataOf(params),
      amount_total: Number(params.get("line_items[0][price_data][unit_amount]")),
      currency: params.get("line_items[0][price_data][currency]") ?? "",
      payment_intent: null,
      url: this.pageOf("c/pay", id),
      success_url: params.get("success_url") ?? "",
      cancel_url: params.get("cancel_url") ?? "",
      subscription_metadata: metadataOf(params, "subscription_data[metadata]"),
    };
    this.sessions.set(id, session);
    return structuredClone(session);
  }
}

export function newStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString("hex")}`;
}

function listOf(url: string, data: readonly unknown[]) {
  return structuredClone({ object: "list", has_more: false, url, data });
}

function metadataOf(params: URLSearchParams, name = "metadata"): Record<string, string> {
  return Object.fromEntries(
    [...params].flatMap(([key, value]) => {
      const field = key.startsWith(`${name}[`) ? key.slice(name.length + 1, -1) : "";
      return field ? [[field, value]] : [];
    }),
  );
}

function presentSubscription({ current_period_end: end, ...rest }: FakeSubscription) {
  return structuredClone({
    object: "subscription",
    cancel_at: null,
    cancel_at_period_end: false,
    ...rest,
    items: {
      object: "list",
      data: [{ id: `si_${rest.id}`, object: "subscription_item", current_period_end: end }],
    },
  });
}

async function textOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}

/** The body of an event, in the form of the documented examples. */
export function eventBody(type: string, object: Record<string, unknown>): string {
  return JSON.stringify({
    id: newStripeId("evt"),
    object: "event",
    api_version: "2026-10-28.endive",
    created: Math.floor(Date.now() / 1_000),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object },
  });
}

/** The Stripe-Signature header of a body. */
export function signatureOf(body: string, at = Date.now(), secret = webhookSecret): string {
  const time = Math.floor(at / 1_000);
  const digest = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return `t=${time},v1=${digest}`;
}
