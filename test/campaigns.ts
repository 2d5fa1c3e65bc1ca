/** For tests of campaigns. */
import { createCampaignBody, type NewCampaign } from "#lib/outreach/campaigns/schema";

/** The body of a valid create. */
export function campaignBody(change: object = {}): NewCampaign {
  return createCampaignBody.parse({
    name: "Autumn",
    kind: "service",
    template: "Hi {name|customer}, {link} now",
    destination: "https://example.com/autumn?r={recipientId}",
    defaultCountry: "CN",
    columns: [{ name: "name" }, { name: "coupon", personal: false }],
    ...change,
  });
}

/** Rows of a call: phones in mainland China, each with its own message. */
export function recipientRows(count: number, first = 0) {
  return Array.from({ length: count }, (_, at) => ({
    messageId: `m-${first + at}`,
    phone: `+86138${String(10_000_000 + first + at)}`,
    columns: { name: `Person ${first + at}` },
  }));
}
