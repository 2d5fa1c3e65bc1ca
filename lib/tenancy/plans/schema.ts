/** What a plan can differ in: numbers with a limit, and capabilities that it includes or not. */

import { namesIn } from "#lib/basics/variants/schema";
import type { PlanName } from "#lib/platform/config/schema";

/** Quotas on the number of existing objects, and what follows their number. How each is counted is in `quotas`. */
const counted = {
  domains: "domains",
  tags: "tags",
  folders: "folders",
  members: "members",
  apiKeys: "API keys",
} as const;
export type CountedName = keyof typeof counted;
export const countedNames = namesIn(counted);

/** In the order of pages that show what a workspace uses. */
export const shownCounted = namesIn({
  ...{ domains: 1, members: 1, apiKeys: 1, tags: 1, folders: 1 },
} satisfies Record<CountedName, 1>);

/** Quotas on objects created per month of the workspace's zone. */
export type MonthlyName = "links";

export const quotaLabels = { links: "new links per month", ...counted } as const;
export type QuotaName = keyof typeof quotaLabels;
export const quotaNames = namesIn(quotaLabels);

/** `callsPerMinute`: API calls per minute and key. `clicksKeptDays`: how far back queries of clicks go. */
export const limitNames = [...quotaNames, "callsPerMinute", "clicksKeptDays"] as const;
export type LimitName = (typeof limitNames)[number];

/** Limits instead of those of the plan; null is unlimited. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number | null | undefined>>>;

/**
 * What the product does only in some plans. Each is checked by the verb that does it, for new uses and changes: what
 * exists keeps working in every plan, and can be removed.
 */
export const capabilityNames = [
  /** Bulk calls of the API, and imports. */
  "bulk",
  "passwords",
  /** Destinations by rule, country and device. */
  "rules",
  "abTests",
  /** Changing the destination of an existing link, and so of its printed QR codes. */
  "destinationEdits",
  /** Repeated visits count once. */
  "repeatFilter",
  /** Pages that ask before a link goes on. Visits check it too: those that store answers stop with the plan. */
  "forms",
  /** Pages and mini programs for visits inside apps. Visits check it too. */
  "insideApps",
  /** Forms that ask for the WeChat account of a visitor. Visits check it too: they are asked for the rest. */
  "wechatUserInfo",
  /** Creating and sending campaigns. */
  "campaigns",
  /** The address for support and custom development, where the instance has one. */
  "support",
] as const;
export type Capability = (typeof capabilityNames)[number];

/** Limits, where `null` is unlimited, and capabilities. */
export interface Plan {
  limits: Readonly<Record<LimitName, number | null>>;
  capabilities: readonly Capability[];
  /** Days after the last visit until links created with the API retire; null: as the instance, 0: never. */
  retireApiDays: number | null;
}

/** For operators who sell Fuxi. On an instance without billing every workspace has `enterprise`. */
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
