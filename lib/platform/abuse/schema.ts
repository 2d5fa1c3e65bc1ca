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
