export interface SessionSummary {
  id: string;
  browser: string | null;
  os: string | null;
  createdAt: string;
  lastSeenAt: string;
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
}

/** A password, access to mail, a connected account, or the second factor. */
export type Proof = "password" | "email" | "oauth" | "factor";
