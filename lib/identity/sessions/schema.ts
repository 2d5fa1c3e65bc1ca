/** A browser in which somebody is signed in. */
export interface ShownSession {
  id: string;
  browser: string | null;
  os: string | null;
  /** ISO 8601 */
  createdAt: string;
  lastSeenAt: string;
  /** The one that asks. */
  current: boolean;
}

/** Someone who is signed in. */
export interface SessionUser {
  pk: number;
  id: string;
  email: string;
  name: string;
  /** Runs the installation. */
  operator: boolean;
  locale: string | null;
  sessionId: string;
}
