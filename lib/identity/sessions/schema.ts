export interface SessionSummary {
  id: string;
  browser: string | null;
  os: string | null;
  /** Where the sign-in came from, if known. */
  country: string | null;
  city: string | null;
  createdAt: string;
  lastSeenAt: string;
  /** What was proved in it. A passkey includes the second factor. */
  proofs: readonly Proof[];
  current: boolean;
}

export interface SessionUser {
  pk: number;
  id: string;
  email: string;
  name: string;
  confirmed: boolean;
  operator: boolean;
  locale: string | null;
  sessionId: string;
  /** Set if the OpenID provider of this workspace signed in: the session opens nothing else. */
  ssoWorkspacePk: number | null;
}

/** A password, access to mail, a connected account, a passkey, or the second factor. */
export type Proof = "password" | "email" | "oauth" | "passkey" | "factor";

/** A passkey is asked for user verification, so it proves the second factor too. */
export const passkeyProofs = ["passkey", "factor"] as const satisfies readonly Proof[];
