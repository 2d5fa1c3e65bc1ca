/** The settings of the instances that contract tests and journeys call. */
import { stripeKey, webhookSecret } from "../test/stripe.ts";
import type { Variables } from "./processes.ts";

/** Billing with a Stripe that a test starts there. New workspaces have all features, as without billing. */
export function billingAt(port: number): Variables {
  return {
    FUXI_STRIPE_SECRET_KEY: stripeKey,
    FUXI_STRIPE_WEBHOOK_SECRET: webhookSecret,
    FUXI_STRIPE_API_URL: `http://127.0.0.1:${port}`,
    FUXI_DEFAULT_PLAN: "enterprise",
  };
}

export function journeySettings(
  dnsPort: number,
  stripePort: number,
  wechatPort: number,
): Variables {
  return {
    // The destination sites of a test are on this machine. Every sign-up comes from an address of its own, because
    // sign-ups per address are limited.
    FUXI_FETCH: "loopback",
    // Without prices there is no pricing page; the contract tests run without.
    FUXI_PRICES: "free=0 €; personal=9 € a month",
    FUXI_TRUSTED_PROXIES: "127.0.0.1,::1",
    FUXI_COUNTRY_HEADER: "CF-IPCountry",
    // The test of a domain answers there.
    FUXI_DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    FUXI_DOMAINS_TARGET: "links.fuxi.example",
    FUXI_DOMAINS_ADDRESSES: "203.0.113.7",
    // A test starts a WeChat there.
    FUXI_WECHAT_URL: `http://127.0.0.1:${wechatPort}`,
    ...billingAt(stripePort),
    FUXI_STRIPE_OFFERS: "personal month eur=9; personal 12 cny=600; trial eur=1",
  };
}
