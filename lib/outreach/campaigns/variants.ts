/** Which variant of the message a person gets. */
import { createHash } from "node:crypto";

/** The position of the variant for a person: the same each time, and in the proportion of the percentages. */
export function variantOf(
  percentages: readonly number[],
  campaignId: string,
  person: Buffer,
): number {
  if (percentages.length < 2) return 0;
  const digest = createHash("sha256").update(campaignId).update(person).digest();
  const drawn = (digest.readUIntBE(0, 6) / 2 ** 48) * 100;
  let sum = 0;
  for (const [at, percentage] of percentages.entries()) {
    sum += percentage;
    if (drawn < sum) return at;
  }
  return percentages.length - 1;
}
