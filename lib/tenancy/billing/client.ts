/** Follows no redirects, so that the secret key only goes to Stripe. */
import type Stripe from "stripe";
import { parseUrl } from "#lib/basics/urls/schema";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";

const apiVersion = "2026-10-28.endive";
const timeoutMs = 8_000;

let opened: { key: string; url: string; client: Stripe } | undefined;

/** Loaded with the first call: it takes 20 MB, and most processes never need it. */
export async function stripe(): Promise<Stripe> {
  const { FUXI_STRIPE_SECRET_KEY: key, FUXI_STRIPE_API_URL: url } = config();
  if (!key) throw new AppError("not_found", "Billing isn’t set up on this instance.");
  if (opened?.key === key && opened.url === url) return opened.client;
  const { protocol, hostname, port } = new URL(url);
  const loaded = await import("stripe");
  const client = new loaded.default(key, {
    apiVersion,
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  opened = { key, url, client };
  return client;
}

export function pageOf(url: string | null): string {
  const page = parseUrl(url ?? "");
  const isOwn = page?.origin === config().FUXI_STRIPE_API_URL;
  if (url && (page?.protocol === "https:" || isOwn)) return url;
  throw new Error("Stripe answered without a page");
}

/** Throws a 503 for an outage. Anything else is a bug or a wrong setting. */
export function asUnavailable(error: unknown): never {
  if (outages.has(typeOf(error))) {
    throw new AppError("service_unavailable", "Stripe can’t be reached. Try again in a minute.", {
      retryAfterSeconds: retrySeconds,
    });
  }
  throw error;
}

const retrySeconds = 60;
const outages: ReadonlySet<unknown> = new Set([
  "StripeAPIError",
  "StripeConnectionError",
  "StripeRateLimitError",
]);

export function idOf(object: string | { id: string } | null | undefined): string | undefined {
  return typeof object === "string" ? object : object?.id;
}

export function typeOf(error: unknown): unknown {
  return Object(error).type;
}
