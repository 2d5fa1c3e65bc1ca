/** Why a link is reported, or banned. Stored: none is ever renamed. */
export const abuseReasons = [
  "phishing",
  "malware",
  "spam",
  "illegal",
  "copyright",
  "other",
] as const;
export type AbuseReason = (typeof abuseReasons)[number];

/** A stored reason; one of a later version is another one. */
export function abuseReasonOf(text: string | null): AbuseReason {
  return abuseReasons.find((reason) => reason === text) ?? "other";
}

/** What a destination is suspected of. Stored: none is ever renamed. */
export const threats = [
  "malware",
  "social_engineering",
  "unwanted_software",
  "potentially_harmful_application",
] as const;
export type Threat = (typeof threats)[number];

/** A stored threat; one of a later version is none. */
export function findThreat(text: string): Threat | undefined {
  return threats.find((threat) => threat === text);
}

/** The services that check destinations. Stored: none is ever renamed. */
export const reputationServices = ["safe-browsing", "web-risk"] as const;
export type ReputationService = (typeof reputationServices)[number];

/** A stored service; one of a later version is none. */
export function findReputationService(text: string | null): ReputationService | undefined {
  return reputationServices.find((service) => service === text);
}
