import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { planNames } from "#lib/platform/config/schema";
import { includes, limitOf, planNamed, planWith } from "./index.ts";
import { type Capability, capabilityNames, type LimitName, limitNames } from "./schema.ts";

const capabilityLabels: Readonly<Record<Capability, string>> = {
  bulk: "bulk calls of the API, and imports",
  passwords: "passwords of links",
  rules: "destinations by rule, country or device",
  abTests: "A/B tests",
  destinationEdits: "changing a destination, also of printed QR codes",
  repeatFilter: "counting repeated visits once",
  forms: "forms, such as for phone numbers",
  insideApps: "pages and mini programs inside apps",
  wechatUserInfo: "WeChat user info in forms",
  campaigns: "campaigns",
  support: "a contact for support and custom development",
};

const limitLabels: Readonly<Record<LimitName, string>> = {
  links: "new links per month",
  domains: "domains",
  tags: "tags",
  folders: "folders",
  members: "members",
  apiKeys: "API keys",
  callsPerMinute: "API calls per minute and key",
  clicksKeptDays: "days of analytics",
};

function rowOf(label: string, cells: readonly string[]): string {
  return [label, ...cells].join(" | ");
}

test("the table of docs/operations/plans.md says what each plan includes", () => {
  const rows = readFileSync("docs/operations/plans.md", "utf8")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").replace(/^\| | \|$/g, ""));
  const expected = [
    ...limitNames.map((name) =>
      rowOf(
        limitLabels[name],
        planNames.map((plan) => planNamed(plan).limits[name]?.toLocaleString("en") ?? "unlimited"),
      ),
    ),
    ...capabilityNames.map((name) =>
      rowOf(
        capabilityLabels[name],
        planNames.map((plan) => (includes({ plan, limits: null }, name) ? "yes" : "no")),
      ),
    ),
  ];
  expect(expected.filter((row) => !rows.includes(row))).toEqual([]);
});

test("enterprise has everything, and each capability is in a plan that does not end by itself", () => {
  const { limits, capabilities } = planNamed("enterprise");
  expect(Object.values(limits).every((limit) => limit === null)).toBe(true);
  expect(capabilities).toEqual(capabilityNames);
  for (const name of capabilityNames) expect(planWith(name)).not.toBe("trial");
});

test("a limit of the workspace applies instead of the plan's, also zero and unlimited", () => {
  expect(limitOf({ plan: "free", limits: { tags: 0, members: null } }, "tags")).toBe(0);
  expect(limitOf({ plan: "free", limits: { tags: 0, members: null } }, "members")).toBeNull();
  expect(limitOf({ plan: "free", limits: {} }, "members")).toBe(1);
  expect(limitOf({ plan: "free", limits: null }, "members")).toBe(1);
});
