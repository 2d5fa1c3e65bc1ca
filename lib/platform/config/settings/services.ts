/** Without plans, every workspace has everything and no page shows a price. */

import { contact, oneOf, optional, secret, setting } from "../parsers.ts";
import { planNames } from "../schema.ts";
import { currency, offers, prices, rates, secretStartingWith, secureOrigin } from "../values.ts";

export const servicesSettings = {
  FUXI_DEFAULT_PLAN: optional(
    `The plan of new workspaces: ${planNames.join(", ")}. Empty: free with FUXI_STRIPE_SECRET_KEY, otherwise enterprise.`,
    oneOf(...planNames),
  ),
  FUXI_PRICES: setting(
    "Prices on the pricing page, such as free=0 €; personal=9 € a month. Plans without a text show their first offer of FUXI_STRIPE_OFFERS, or ask visitors to contact the administrator. Empty, without offers: visitors see no plans and no pricing page.",
    prices,
    "",
  ),
  FUXI_SUPPORT_CONTACT: optional(
    "Where workspaces whose plan includes support ask for help and for custom development: an email address or an https URL. Empty: support isn’t offered.",
    contact,
  ),
  FUXI_STRIPE_SECRET_KEY: secret(
    optional(
      "Secret key of Stripe, which sells plans in the dashboard. Empty: plans are changed by administrators only.",
      secretStartingWith("sk_", "rk_"),
    ),
  ),
  FUXI_STRIPE_WEBHOOK_SECRET: secret(
    optional(
      "Signing secret of the webhook <FUXI_URL>/api/stripe/webhook in Stripe.",
      secretStartingWith("whsec_"),
    ),
  ),
  FUXI_STRIPE_OFFERS: setting(
    "What Stripe sells: subscriptions by month or year, prepaid terms in months, and the trial, such as personal month eur=9; personal year eur=90; personal 12 cny=600; trial eur=1.",
    offers,
    "",
  ),
  FUXI_STRIPE_API_URL: setting(
    "Origin of the API of Stripe: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://api.stripe.com",
  ),
  FUXI_CURRENCY: setting(
    "Currency in which the sales of links are added up. Set it before the first sale: recorded amounts are not converted again.",
    currency,
    "USD",
  ),
  FUXI_CURRENCY_RATES: setting(
    "Comma-separated currencies in which sales may be reported, with the value of one unit in FUXI_CURRENCY, such as EUR=1.08, JPY=0.0067. A sale is converted once, when it is recorded. Sales in other currencies are refused.",
    rates,
    "",
  ),
  FUXI_TWILIO_URL: setting(
    "Origin of the API of Twilio, such as that of a region: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://api.twilio.com",
  ),
  FUXI_ALIBABA_SMS_URL: setting(
    "Origin of Alibaba Cloud SMS, such as that of a region: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://dysmsapi.aliyuncs.com",
  ),
  FUXI_WECHAT_URL: setting(
    "Origin of the API of WeChat, such as that of a region: an https URL, or http on loopback for a mock.",
    secureOrigin,
    "https://api.weixin.qq.com",
  ),
};
