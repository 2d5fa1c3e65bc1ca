/** Notifications about long-running work. */

export const noticeKinds = [
  "takeout.done",
  "takeout.failed",
  "import.done",
  "import.failed",
  "domain.verified",
  "domain.failing",
  "domain.unverified",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export interface Notice {
  id: string;
  /** One of `noticeKinds`, or one of a later version. */
  kind: string;
  /** Id of its subject. */
  subject: string | null;
  details: Record<string, unknown> | null;
  /** ISO 8601 */
  at: string;
  read: boolean;
}
