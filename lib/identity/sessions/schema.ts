/** A signed-in browser. */
export interface SessionSummary {
  id: string;
  browser: string | null;
  os: string | null;
  /** ISO 8601 */
  createdAt: string;
  lastSeenAt: string;
  /** The session of the request. */
  current: boolean;
}

/** A signed-in user. */
export interface SessionUser {
  pk: number;
  id: string;
  email: string;
  name: string;
  /** Has proven the email address. */
  confirmed: boolean;
  /** Administers the instance. */
  operator: boolean;
  locale: string | null;
  sessionId: string;
}

/** What a person proves: their password, access to their mail, a connected account, their second factor. */
export type Proof = "password" | "email" | "oauth" | "factor";
