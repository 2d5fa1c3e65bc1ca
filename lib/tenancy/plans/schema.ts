/** What a plan can differ in: numbers with a limit, and capabilities that it includes or not. */

/** Quotas on the number of existing objects. */
export const countedNames = ["domains", "tags", "folders", "members", "apiKeys"] as const;
export type CountedName = (typeof countedNames)[number];

/** Quotas on objects created per month of the workspace's zone. */
export type MonthlyName = "links";

export const quotaNames = ["links", ...countedNames] as const;
export type QuotaName = (typeof quotaNames)[number];

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
