import { namesIn } from "#lib/basics/variants/schema";
import type { PlanName } from "#lib/platform/config/schema";

const counted = {
  domains: "domains",
  tags: "tags",
  folders: "folders",
  members: "members",
  apiKeys: "API keys",
} as const;
export type CountedName = keyof typeof counted;
export const countedNames = namesIn(counted);

export const shownCounted = namesIn({
  ...{ domains: 1, members: 1, apiKeys: 1, tags: 1, folders: 1 },
} satisfies Record<CountedName, 1>);

export type MonthlyName = "links";

export const quotaLabels = { links: "new links per month", ...counted } as const;
export type QuotaName = keyof typeof quotaLabels;
export const quotaNames = namesIn(quotaLabels);

/** `callsPerMinute`: API calls per minute and key. `clicksKeptDays`: how far back queries of clicks go. */
export const limitNames = [...quotaNames, "callsPerMinute", "clicksKeptDays"] as const;
export type LimitName = (typeof limitNames)[number];

export type OwnLimits = Readonly<Partial<Record<LimitName, number | null | undefined>>>;

/** Checked for new uses and changes. Existing things work in every plan. */
export const capabilityNames = [
  "bulk",
  "passwords",
  "rules",
  "abTests",
  /** Also changes where printed QR codes lead. */
  "destinationEdits",
  "repeatFilter",
  /** Visits check this too: forms stop storing answers when the plan ends. */
  "forms",
  /** For visits inside apps. Visits check it too. */
  "insideApps",
  /** Visits check this too: without it, forms ask for the rest. */
  "wechatUserInfo",
  "campaigns",
  "support",
] as const;
export type Capability = (typeof capabilityNames)[number];

export interface Plan {
  limits: Readonly<Record<LimitName, number | null>>;
  capabilities: readonly Capability[];
  retireApiDays: number | null;
}

/** Without billing, every workspace has `enterprise`. */
export const plans = {
  free: {
    limits: {
      ...{ links: 1_000, domains: 3, tags: 5, folders: 3, members: 1, apiKeys: 5 },
      callsPerMinute: 60,
      clicksKeptDays: 30,
    },
    capabilities: [],
    retireApiDays: 365,
  },
  trial: {
    limits: {
      ...{ links: 10_000, domains: 10, tags: 25, folders: 20, members: 10, apiKeys: 20 },
      callsPerMinute: 600,
      clicksKeptDays: 90,
    },
    capabilities: capabilityNames,
    retireApiDays: null,
  },
  personal: {
    limits: {
      ...{ links: 50_000, domains: 20, tags: 100, folders: 50, members: 3, apiKeys: 50 },
      callsPerMinute: 1_200,
      clicksKeptDays: 365,
    },
    capabilities: capabilityNames,
    retireApiDays: null,
  },
  enterprise: {
    limits: {
      ...{ links: null, domains: null, tags: null, folders: null, members: null, apiKeys: null },
      callsPerMinute: null,
      clicksKeptDays: null,
    },
    capabilities: capabilityNames,
    retireApiDays: null,
  },
} satisfies Readonly<Record<PlanName, Plan>>;
