import { expect, test } from "vitest";
import { createCampaignRequest, editCampaignRequest } from "./schema.ts";

const whole = {
  name: "Autumn",
  kind: "marketing",
  template: "Hi {name}, {link} now",
  destination: "https://example.com/",
  defaultCountry: "CN",
  columns: [{ name: "name" }],
  senderName: "Shop",
  optOutText: "Reply STOP",
  consentSource: "Checkout form",
  consentOn: "2026-01-31",
};

function fieldsOf(schema: typeof createCampaignRequest | typeof editCampaignRequest, body: object) {
  const { error } = schema.safeParse(body);
  return error?.issues.map(({ path }) => path.join(".")).sort() ?? [];
}

test.each<[string, object, string[]]>([
  ["nothing", whole, []],
  [
    "fields and what only fails together",
    { ...whole, name: "", senderName: undefined, consentOn: "x", destination: "x" },
    ["consentOn", "destination", "name", "senderName"],
  ],
  ["a missing message", { ...whole, template: undefined }, ["template"]],
  [
    "an opt-out that only one of two messages has",
    {
      ...whole,
      template: undefined,
      optOutText: undefined,
      variants: [
        { name: "A", template: "{optout}", percentage: 50 },
        { name: "A", template: "{nobody}", percentage: 50 },
      ],
    },
    ["optOutText", "variants", "variants.1.template"],
  ],
  ["{optout} instead of a text", { ...whole, template: "{optout}", optOutText: undefined }, []],
])("a new campaign is refused for %s", (_, body, fields) => {
  expect(fieldsOf(createCampaignRequest, body)).toEqual(fields);
});

test.each<[string, object, string[]]>([
  ["a name", { name: "Winter" }, []],
  ["cleared consent", { kind: "marketing", consentOn: null }, ["consentOn"]],
  [
    "a cleared opt-out text, if {optout} may be in the stored message",
    { kind: "marketing", optOutText: null },
    [],
  ],
  ["a message whose columns are not sent", { template: "{nobody}" }, []],
])("an edit is judged by what it has: %s", (_, body, fields) => {
  expect(fieldsOf(editCampaignRequest, body)).toEqual(fields);
});
