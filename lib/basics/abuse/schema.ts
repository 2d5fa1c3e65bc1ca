/** Reasons for reports and bans. Stored: never rename them. */
export const abuseReasons = [
  "phishing",
  "malware",
  "spam",
  "illegal",
  "copyright",
  "other",
] as const;
export type AbuseReason = (typeof abuseReasons)[number];

/** Reasons of later versions become `other`. */
export function abuseReasonOf(text: string | null): AbuseReason {
  return abuseReasons.find((reason) => reason === text) ?? "other";
}

/** Suspicions about destinations. Stored: never rename them. */
export const threats = [
  "malware",
  "social_engineering",
  "unwanted_software",
  "potentially_harmful_application",
] as const;
export type Threat = (typeof threats)[number];

export function findThreat(text: string): Threat | undefined {
  return threats.find((threat) => threat === text);
}

/** Services that check destinations. Stored: never rename them. */
export const reputationServices = ["safe-browsing", "web-risk"] as const;
export type ReputationService = (typeof reputationServices)[number];

export function findReputationService(text: string | null): ReputationService | undefined {
  return reputationServices.find((service) => service === text);
}
