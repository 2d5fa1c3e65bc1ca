import type { MissingProof } from "#lib/tenancy/live-actors/schema";

export interface MissingPresence extends MissingProof {
  /** The account has a passkey, which proves everything at once. */
  passkey: boolean;
}
